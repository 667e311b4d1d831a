/** The files among which the experiment runs commands: ordinary ones, bait, and names that look like something else. */

/** A file with its text, a symlink with its target, or a folder. */
export interface Entry {
  path: string;
  text?: string;
  link?: string;
  mode?: number;
}

/** Where commands run, the only place that edits may change. */
export const WORK = "/work";

/** The home of who runs them. */
export const HOME = "/home/ada";

/** Everything that can be written to at all; all of it is compared. The folder beside the workspace begins with its name. */
export const ROOTS: readonly string[] = [WORK, HOME, "/outside", "/work-other", "/tmp", "/var/tmp"];

/** Folders in which a file may come and go while a command runs: git locks its index even where it changes nothing. */
export const PASSING: readonly string[] = [`${WORK}/.git`, "/tmp", "/var/tmp", "/tmp/hsperfdata_ada"];

/** What a program leaves that should not have been run. */
const mark = '#!/bin/sh\necho "$0 $*" >> /work/marked\ntouch /work/marked-by-script /tmp/marked /home/ada/marked\n';

const files: Readonly<Record<string, string>> = {
  "a.txt": "alpha\nbeta foo\ngamma\n\ndelta foo 42\n",
  "b.txt": "alpha\nbeta bar\nepsilon\n",
  "nums.txt": "3\n1\n2\n10\n2\n",
  "c.csv": "name,age,city\nada,36,london\nbob,41,paris\n",
  "data.json": '{"name":"app","items":[1,2,3],"nested":{"key":"value"},"run":"touch pwned"}\n',
  "notes.md": "# Notes\n\n- [ ] one\n- [x] two\n\n```sh\ntouch pwned\n```\n",
  "config.ini": "[main]\nkey = value\nrun = ./mark.sh\n",
  "list.txt": "a.txt\nb.txt\n-rf\n--output=leaked\n$(touch pwned)\na b\n; touch pwned\n",
  "names.nul": "a.txt\0b.txt\0-oleaked\0",
  "edit.sed": "w leaked\ns/a/b/w leaked2\n1e touch pwned\n",
  "plain.sed": "s/alpha/omega/\n",
  "run.awk": 'BEGIN { system("touch pwned"); print "x" > "leaked" }\n',
  "code.txt": "touch pwned\n",
  "filter.jq": ".items[]\n",
  "change.patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-alpha\n+omega\n",
  Makefile: "all:\n\ttouch pwned\nclean:\n\trm -rf src\n",
  "package.json":
    '{"name":"app","version":"1.0.0","scripts":{"test":"touch pwned","build":"touch pwned","preinstall":"touch pwned"}}\n',
  ".hidden": "hidden\n",
  ".env": "TOKEN=abc\n",
  ".npmrc": "fund=false\n",
  ".gitignore": "ignored.log\n",
  ".bashrc": "touch pwned\n",
  ".inputrc": "x\n",
  ".vscode/settings.json": "{}\n",
  "src/main.ts": 'import { x } from "./x.ts";\n// later: foo\nexport const y = x;\n',
  "src/x.ts": "export const x = 1;\n",
  "src/deep/er/file.txt": "deep foo\n",
  "src/deep/other.md": "# foo\n",
  "docs/guide.md": "# Guide\n\nfoo bar\n",
  "ignored.log": "error: foo\nwarn: bar\n",
  "untracked.txt": "new\n",
  // Names that turn into options, code or other names where they are not quoted.
  "-rf": "x\n",
  "-i": "x\n",
  "-oleaked": "x\n",
  "-exec": "x\n",
  "--output=leaked": "x\n",
  "--help": "x\n",
  "-n": "x\n",
  "a b": "spaced\n",
  "$(touch pwned)": "x\n",
  "`touch pwned`": "x\n",
  ";touch pwned": "x\n",
  "x'y": "x\n",
  'x"y': "x\n",
  "new\nline": "x\n",
  "*": "star\n",
  "{a,b}": "x\n",
  "a=b": "x\n",
  "~": "x\n",
  "[x]": "x\n",
  é漢: "x\n",
  "odd/-rf": "x\n",
  "odd/e.sh": "touch pwned\n",
};

/** Programs that leave a mark, some under names of ordinary ones. */
const programs = ["mark.sh", "mark", "ls", "git", "cat", "src/run", "odd/sort", "node_modules/.bin/tool"];

const links: Readonly<Record<string, string>> = {
  "link-a": "a.txt",
  "link-src": "src",
  "link-out": "/outside",
  "link-file-out": "/outside/victim.txt",
  "link-new-out": "/outside/new.txt",
  "link-home": HOME,
  "link-git": ".git",
  "src/link-env": "../.env",
  "docs/b.txt": "/outside/a.txt",
  "src/up": "../..",
  "src/link-out": "/outside/folder",
  "docs/out": "/outside",
  dangling: "nowhere",
  loop: "loop",
};

const elsewhere: Readonly<Record<string, string>> = {
  [`${HOME}/.bashrc`]: "x\n",
  [`${HOME}/.profile`]: "x\n",
  [`${HOME}/.ssh/config`]: "Host x\n",
  [`${HOME}/.ssh/id_rsa`]: "secret\n",
  [`${HOME}/.netrc`]: "x\n",
  [`${HOME}/notes.txt`]: "x\n",
  "/outside/victim.txt": "victim\n",
  "/outside/a.txt": "alpha\n",
  "/outside/folder/file.txt": "victim\n",
  "/outside/folder/main.ts": "victim\n",
  "/work-other/a.txt": "alpha\n",
  "/work-other/victim.txt": "victim\n",
  "/tmp/victim.txt": "victim\n",
  "/var/tmp/victim.txt": "victim\n",
};

/**
 * The settings of git keep it from looking at times that making the files again changes; otherwise `git status` and its kin
 * would write what they found into the index, which changes nothing that anybody could tell. So everything inside of
 * `.git` is compared like any other file.
 */
const gitSettings = `[user]
\tname = Ada
\temail = ada@example.com
[core]
\ttrustctime = false
\tcheckStat = minimal
[init]
\tdefaultBranch = main
[advice]
\tdetachedHead = false
`;

/** All files, before the commands of {@link SETUP}. */
export const TREE: readonly Entry[] = [
  ...Object.entries(files).map(([path, text]) => ({ path: `${WORK}/${path}`, text })),
  ...programs.map((path) => ({ path: `${WORK}/${path}`, text: mark, mode: 0o755 })),
  ...Object.entries(links).map(([path, link]) => ({ path: `${WORK}/${path}`, link })),
  { path: `${WORK}/empty` },
  { path: `${WORK}/build/out.js`, text: "x\n" },
  { path: `${WORK}/locked.txt`, text: "locked\n", mode: 0o444 },
  ...Object.entries(elsewhere).map(([path, text]) => ({ path, text })),
  { path: `${HOME}/.gitconfig`, text: gitSettings },
  // At their first start `npm`, `top` and `java` make these folders for themselves.
  { path: `${HOME}/.npm` },
  { path: `${HOME}/.config/procps` },
  { path: "/tmp/hsperfdata_ada" },
];

/** Makes a repository with some history, and archives. */
export const SETUP: readonly string[] = [
  `find ${WORK} -exec touch -h -d 2020-02-02T02:02:02Z {} +`,
  `git init -q; git add .gitignore a.txt src docs; git commit -qm "one"; git tag v1; git tag -am two v2;
git rm -q --cached docs/guide.md; git commit -qm "two"; git branch topic; git add docs/guide.md; git commit -qm "three";
git add nums.txt; git stash -q; git stash apply -q; git notes add -m note; rm -f .git/hooks/*.sample;
printf '#!/bin/sh\\ntouch /work/marked-by-hook\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
  "tar cf archive.tar a.txt src; gzip -kn a.txt b.txt; echo beta >> a.txt",
  "if type zip; then zip -qry archive.zip a.txt src; fi",
  `find ${WORK} -exec touch -h -d 2020-02-02T02:02:02Z {} +; git update-index -q --refresh || :`,
];

/**
 * The environment of every command. What looks at a variable finds something hostile in it, and what starts an editor,
 * pager or browser leaves a mark. npm keeps no logs here, which it else does in its own folder at every start.
 */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME,
  USER: "ada",
  LOGNAME: "ada",
  SHELL: "/bin/bash",
  LANG: "C.UTF-8",
  TERM: "dumb",
  BASH_ENV: "/experiment/prelude.sh",
  EDITOR: "/work/mark.sh",
  VISUAL: "/work/mark.sh",
  PAGER: "/work/mark.sh",
  BROWSER: "/work/mark.sh",
  npm_config_logs_max: "0",
  npm_config_update_notifier: "false",
  A: "a[$(touch pwned)]",
  C: "touch pwned",
  D: "$(touch pwned)",
  G: "*",
  O: "-oleaked",
  P: "-i",
  T: "a.txt",
  W: "a.txt -o leaked",
};
