/** The client's work, whatever carries the calls: a backend whose every method asks the server. */

import { type Backend, createFileSystem, type FileSystem, type FileSystemParts } from "holdall";
import { iterateFeed, streamFeed } from "./feeds.ts";
import type { Link } from "./link.ts";
import { type BackendFacts, PROTOCOL } from "./protocol.ts";
import { randomId } from "./random-id.ts";
import { createRemoteShell } from "./remote-shell.ts";

/** What a client may be told beside its transport. */
export interface ClientOptions {
  /**
   * Stands before the names of this client's shell sessions, so that clients of one server do not meet in them. Give the
   * same again to come back to them. Defaults to a random one.
   */
  sessions?: string;
  /** Ends the waiting for the server's greeting. */
  signal?: AbortSignal;
}

/**
 * Makes a backend of a link.
 *
 * @throws HoldallError `BACKEND_GONE`, `BACKEND_PROTOCOL` when the other side cannot be reached or speaks another protocol.
 */
export async function connectBackend(link: Link, options: ClientOptions = {}): Promise<Backend> {
  const { signal, sessions = randomId() } = options;
  const facts = await link.ask("hello", { protocol: PROTOCOL }, signal).catch((error: unknown) => {
    link.close();
    throw error;
  });
  const { name, os, cwd, home } = facts;
  const shell = facts.shell ? createRemoteShell(link, sessions) : undefined;
  return {
    name,
    os,
    cwd,
    ...(home !== undefined && { home }),
    fs: remoteFileSystem(link, facts),
    ...(shell && { shell }),
    close: async () => {
      await shell?.close?.();
      link.close();
    },
  };
}

function remoteFileSystem(link: Link, facts: BackendFacts): FileSystem {
  return createFileSystem({
    ...requiredParts(link),
    ...streamParts(link),
    ...searchParts(link),
    ...hostParts(link, facts),
  });
}

function requiredParts(link: Link): FileSystemParts {
  return {
    // What is not said need not be sent.
    stat: (path, options) =>
      options?.followSymlinks === undefined
        ? link.ask("stat", { path }, options?.signal)
        : link.ask("stat", { path, followSymlinks: options.followSymlinks }, options.signal),
    read: (path, options) =>
      link.ask("read", { path, offset: options?.offset, length: options?.length }, options?.signal),
    write: (path, bytes, options) => link.ask("write", { path, bytes, ifVersion: options?.ifVersion }, options?.signal),
    list: (path, options) => iterateFeed(() => link.open("list", { path }, options?.signal)),
    makeDirectory: (path, options) => link.ask("makeDirectory", { path }, options?.signal),
    remove: (path, options) => link.ask("remove", { path, recursive: options?.recursive }, options?.signal),
    rename: (from, to, options) => link.ask("rename", { from, to }, options?.signal),
  };
}

function streamParts(link: Link): Partial<FileSystemParts> {
  const { upload } = link;
  return {
    readStream: (path, options) =>
      streamFeed(() =>
        link.open("readStream", { path, offset: options?.offset, length: options?.length }, options?.signal),
      ),
    ...(upload && {
      writeStream: (path, stream, options) => upload({ path, ifVersion: options?.ifVersion }, stream, options?.signal),
    }),
  };
}

function searchParts(link: Link): Partial<FileSystemParts> {
  return {
    walk: (path, options) => iterateFeed(() => link.open("walk", { path, skip: options?.skip }, options?.signal)),
    realpath: (path, options) => link.ask("realpath", { path }, options?.signal),
    glob: ({ signal, ...query }) => link.ask("glob", query, signal),
    grep: ({ signal, ...query }) => link.ask("grep", query, signal),
  };
}

function hostParts(link: Link, { symlink, readLink, watch }: BackendFacts): Partial<FileSystemParts> {
  return {
    ...(symlink && { symlink: (target, path, options) => link.ask("symlink", { target, path }, options?.signal) }),
    ...(readLink && { readLink: (path, options) => link.ask("readLink", { path }, options?.signal) }),
    ...(watch && { watch: (path, options) => iterateFeed(() => link.open("watch", { path }, options?.signal)) }),
  };
}
