/** git: what each sub-command does with its arguments. The language is that of `command/grammar.ts`. */

const hazards = "output> ext-diff! textconv! show-signature!";
const log = `R~#cs ${hazards} O< S: G: L: n: max-count: skip: since: after: until: before: author: committer: grep: | r*`;

/** Grammars by sub-command; `remote/get-url` is two words deep. */
export const git: Readonly<Record<string, string>> = {
  git: "*+ -Ph no-pager literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-replace-objects no-lazy-fetch no-optional-locks no-advice version v help html-path man-path info-path C: c: config-env% exec-path! git-dir% work-tree% namespace% attr-source% super-prefix% p! paginate! bare! list-cmds?",
  "git/(log show diff whatchanged rev-list diff-tree diff-index diff-files range-diff cherry)": log,
  "git/shortlog": `R~#c ${hazards} | r*`,
  "git/status": "R~c | m*",
  "git/blame": `R~#c ${hazards} contents< L: S< date: ignore-rev: ignore-revs-file< | r*`,
  "git/annotate": `R~c ${hazards} | r*`,
  "git/grep":
    "R~#cfs O! open-files-in-pager! textconv! ext-grep! e: f< A: B: C: m: max-depth: max-count: threads: after-context: before-context: context: files-with-matches files-without-match | p/e,f r*",
  "git/ls-files": "R~cn x: X< exclude: exclude-from< exclude-per-directory: with-tree: format: | l*",
  "git/ls-tree": "R~c format: | t*",
  "git/(rev-parse describe name-rev merge-base show-ref show-branch count-objects var check-ignore check-attr check-ref-format check-mailmap get-tar-commit-id verify-pack version stripspace column)":
    "R~c | t*",
  "git/for-each-ref": "R~c format: sort: count: points-at: | t*",
  "git/cat-file": "R~c filters! textconv! path: batch? batch-check? batch-command? | r*",
  "git/fsck": "R~c lost-found! | t*",
  "git/branch":
    "R~#c d! D! m! M! c! C! f! u! t! delete! move! copy! force! set-upstream-to! unset-upstream! edit-description! track! contains: no-contains: points-at: sort: format: | x*/l,list,contains,no-contains,merged,no-merged,points-at",
  "git/tag":
    "R~#c a! s! u! f! d! v! m! F! e! annotate! sign! local-user! force! delete! verify! message! file! edit! cleanup! create-reflog! trailer! n? contains: no-contains: points-at: sort: format: | x*/l,list,contains,no-contains,merged,no-merged,points-at,n",
  "git/remote": "*c -v verbose",
  "git/remote/get-url": "Rc all push | t*",
  "git/config":
    "R~+c f< file< blob: type: default: value: url: add! unset! unset-all! replace-all! rename-section! remove-section! e! edit! | t*",
  "git/stash": "^c",
  "git/stash/list": log,
  "git/stash/show": log,
  "git/reflog": "*c#",
  "git/reflog/show": log,
  "git/(reflog/exists reflog/list)": "Rc | t*",
  "git/worktree": "*c",
  "git/worktree/list": "Rc -vz porcelain verbose",
  "git/submodule": "*c -q quiet",
  "git/submodule/status": "Rc cached recursive quiet | t*",
  "git/notes": "*c ref:",
  "git/(notes/list notes/show)": "Rc | t*",
  "git/bisect": "*c",
  "git/bisect/log": "Rc",
  "git/sparse-checkout": "*c",
  "git/sparse-checkout/list": "Rc",
  "git/bundle": "*c",
  "git/(bundle/verify bundle/list-heads)": "Rc -q quiet | r*",
  "git/symbolic-ref": "Rc -q quiet short recurse no-recurse | t",
  "git/hash-object": "Wc",
  "git/credential": "*c",
  "git/credential/fill": "Rc",
  "git/help": "R -agvc all guides verbose config no-external-commands no-aliases | t*",
  // What follows changes things; only what goes beyond that is listed.
  "git/push":
    "Wc f! force! force-with-lease! force-if-includes! d! delete! mirror! prune! receive-pack% exec% repo% o: push-option:",
  "git/clean": "Wc f! force! d! x! X!",
  "git/reset": "Wc hard! merge! keep!",
  "git/checkout": "Wc f! force!",
  "git/switch": "Wc f! force! discard-changes!",
  "git/rebase": "Wc x% exec% i! interactive!",
  "git/commit": "Wc no-verify! n! m: message: F: file: author: date: C: c: t: template:",
  "git/merge": "Wc no-verify! m: s: X:",
  "git/clone":
    "Wc u% upload-pack% c% config% template% b: o: branch: origin: depth: reference: separate-git-dir: recurse-submodules! recursive!",
  "git/(fetch pull)": "Wc upload-pack% f! force!",
  "git/ls-remote": "Wc upload-pack% exec%",
  "git/archive": "Wc o> output> remote% exec%",
  "git/init": "Wc template% separate-git-dir%",
  "git/(remote/add remote/set-url)": "Wc t: m:",
  "git/(bisect/run submodule/foreach)": "Wc!",
  "git/(difftool mergetool)": "Wc x% extcmd% t% tool%",
  "git/(filter-branch daemon shell upload-pack receive-pack http-backend instaweb send-email svn p4 gui citool)": "Wc!",
};
