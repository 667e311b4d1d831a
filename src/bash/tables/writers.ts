/** Commands that change things: which of their arguments are paths, and which options go beyond their ordinary use. */

/** Grammars by command names. */
export const writers: Readonly<Record<string, string>> = {
  touch: "W r< d: t: date: time: reference< | w*",
  "mkdir mkfifo mknod": "W m: mode: Z? context? | w*",
  // With the folders above, which may lie outside.
  rmdir: "W p! parents! | d*",
  "rm unlink": "W | d*",
  mv: "W t> S: target-directory> suffix: | d* w/t,target-directory",
  cp: "W t> S: target-directory> suffix: | r* w/t,target-directory",
  "install ln": "W t> S: m: o: g: target-directory> strip-program% | r* w/t,target-directory",
  "chmod chown chgrp": "W R recursive reference< from: | t w*",
  dd: "W | t*",
  truncate: "W s: r< size: reference< | w*",
  "split csplit": "W l: b: n: C: a: filter% | r w",
  patch: "W i< o> d: p: r> input< output> directory: reject-file> | w*",
  "gzip gunzip bzip2 bunzip2 xz unxz": "Wa S: suffix: o> | w*",
  "zstd lz4 compress uncompress": "W S: suffix: o> | w*",
  unzip: "Wa d> P: | w t*",
  zip: "W d> P: TT% unzip-command% | w t*",
  curl: "W o> output> O! remote-name! remote-name-all! J! remote-header-name! output-dir> c> cookie-jar> D> dump-header> trace> trace-ascii> stderr> K% config% T< upload-file< d: data: data-binary: data-raw: data-urlencode: F: form: X: request: H: header: u: user: A: e: x% proxy% b: netrc-file< E< cert< key< unix-socket% hsts> alt-svc> etag-save> libcurl> w: write-out: | t*",
  wget: "W O> output-document> P> directory-prefix> o> output-file> a> append-output> i< input-file< post-file< body-file< e% execute% use-askpass% config% m! mirror! r! recursive! | t*",
  "rsync scp sftp":
    "W e% rsh% S% rsync-path% o% F% D% delete! delete-after! delete-before! delete-during! remove-source-files! i< identity< | r*",
  ssh: "W o% F% E> L% R% D% W% J: i< p: l: S% w% | t*",
  "batch launchctl service": "W",
  go: "*c",
  "go/env": "Wc w% u%",
  "go/(vet build test run install generate list)": "Wc- vettool% toolexec% exec% overlay%",
  "tar bsdtar":
    "Wa f: C: X< T< file: directory: I% use-compress-program% to-command% F% info-script% new-volume-script% rmt-command% rsh-command% checkpoint-action% checkpoint? exclude: exclude-from< files-from< transform: xform: P! absolute-names! remove-files! | t*",
  kill: "W s: n: signal: | t*",
  "pkill killall": "W s: signal: u: f | t*",
};
