/** Finds the browsers of this machine; brings none. */
import { existsSync } from "node:fs";

/**
 * @typedef {object} Browser
 * @property {string | undefined} path The executable, when there is one.
 * @property {string} variable The environment variable that names another one.
 * @property {string} missing Why the runtime is left out, and how to have it.
 */

const PLACES = {
  chromium: [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
  firefox: [
    "/usr/bin/firefox-esr",
    "/usr/bin/firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
  ],
  webkit: [
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
  ],
};

/** @type {Browser} */
export const chromium = {
  path: find("CHROMIUM_PATH", PLACES.chromium),
  variable: "CHROMIUM_PATH",
  missing: "no Chromium found. Install one, or set CHROMIUM_PATH to its executable.",
};

/** @type {Browser} */
export const firefox = {
  path: find("FIREFOX_PATH", PLACES.firefox),
  variable: "FIREFOX_PATH",
  missing: "no Firefox found. Install it (Debian: firefox-esr), or set FIREFOX_PATH to its executable.",
};

/** WebKitGTK's own small browser; it needs a display, so an X server (or Xvfb) counts too. @type {Browser} */
export const webkit = findWebKit();

function findWebKit() {
  const path = find("MINIBROWSER_PATH", PLACES.webkit);
  const display = process.env.DISPLAY || existsSync("/usr/bin/Xvfb");
  const missing = path
    ? "WebKitGTK needs a display. Install xvfb, or set DISPLAY."
    : "no WebKitGTK MiniBrowser found. Install it (Debian: libwebkit2gtk-4.1-0 and xvfb), or set MINIBROWSER_PATH.";
  return { path: display ? path : undefined, variable: "MINIBROWSER_PATH", missing };
}

/**
 * A path given by the environment is taken as it is, so a wrong one fails loudly instead of being replaced in silence.
 * @param {string} variable
 * @param {readonly string[]} places
 * @returns {string | undefined}
 */
function find(variable, places) {
  return process.env[variable] || places.find((place) => existsSync(place));
}
