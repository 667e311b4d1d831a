import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { overlayBackend, readOnlyFileSystem } from "holdall/overlay";
import { fileSystemContract } from "holdall/testing";
import { describe, test } from "vitest";
import { dealt } from "../unit/property.ts";

const can = { symlinks: true, watch: true };

describe("overlayBackend over memory", () => {
  const create = () => overlayBackend(memoryBackend({ cwd: "/" })).fs;
  for (const { name, run } of dealt(fileSystemContract({ create, can }), 0, 4)) test(name, run);
});

describe("overlayBackend over an overlay", () => {
  const create = () => overlayBackend(overlayBackend(memoryBackend({ cwd: "/" }))).fs;
  for (const { name, run } of dealt(fileSystemContract({ create, can }), 1, 4)) test(name, run);
});

describe("overlayBackend with its upper layer in a folder", () => {
  const create = () =>
    overlayBackend(memoryBackend({ cwd: "/" }), { upper: memoryFileSystem(), folder: "/kept/here" }).fs;
  for (const { name, run } of dealt(fileSystemContract({ create, can }), 2, 4)) test(name, run);
});

describe("readOnlyFileSystem, changed below", () => {
  const create = () => {
    const below = memoryFileSystem();
    const { stat, read, list, walk, readStream, realpath, glob, grep, readLink, watch } = readOnlyFileSystem(below);
    const view = {
      stat,
      read,
      list,
      walk,
      readStream,
      realpath,
      glob,
      grep,
      ...(readLink && { readLink }),
      ...(watch && { watch }),
    };
    return { ...below, ...view };
  };
  for (const { name, run } of dealt(fileSystemContract({ create, can }), 3, 4)) test(name, run);
});
