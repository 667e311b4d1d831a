/** Commands that only read, as long as no option says otherwise. The language is that of `command/grammar.ts`. */

/** Grammars by command names. */
export const readers: Readonly<Record<string, string>> = {
  "cat tac rev nl fold fmt expand unexpand od hexdump hd cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum sum tsort colrm zcat bzcat zipinfo cmp pr bc":
    "R~f files0-from< | r*",
  // Some of them write where others only look.
  "base64 base32": "R~f o> output> | r*",
  xzcat: "R~f files< files0< | r*",
  wc: "R~fk files0-from< | r*",
  "head tail": "R~#f n: c: s: lines: bytes: pid: | r*",
  "nproc id": "R~k | t*",
  cut: "R~f d: f: c: b: delimiter: fields: output-delimiter: | r*",
  paste: "R~f d: delimiters: | r*",
  join: "R~f t: a: v: e: o: j: 1: 2: | r*",
  comm: "R~f output-delimiter: | r*",
  column: "R~f s: o: separator: output-separator: | r*",
  "tr echo true false : pwd sleep seq expr factor numfmt yes uname whoami logname users who w uptime free tty locale getconf lscpu lsblk lsusb lsmod findmnt lsb_release cal ncal apropos whatis which whereis type help dirname basename pathchk pgrep pidof pstree netstat vmstat iostat groups last locate plocate clear sw_vers times":
    "R~ | t*",
  // Elsewhere it starts a program, for another processor.
  arch: "R",
  lastlog: "R~ C! S! clear! set! b: t: u: before: time: user: | t*",
  // The names of devices are asked for over the network.
  lspci: "R~ q! Q! | t*",
  "grep egrep fgrep":
    "R~#fsk e: f< m: A: B: C: D: d: regexp: file< include: exclude: exclude-dir: exclude-from< | p/e,f,regexp,file r*",
  find: "R",
  diff: "R~ I: x: X< U: C: W: F: S: label: exclude: exclude-from< from-file< to-file< | r*",
  "sdiff diff3": "R~ o> output> diff-program% w: I: | r*",
  "ls dir vdir": "R~n I: w: T: hide: ignore: | l*",
  "eza exa": "R~n I: s: L: t: w: ignore-glob: sort: level: time: time-style: width: color: colour: | l*",
  "bat batcat":
    "R~f pager% lessopen! build! clear! generate-config-file! l: H: r: m: language: highlight-line: line-range: map-syntax: file-name: theme: style: tabs: wrap: terminal-width: color: paging: | r*",
  "stat readlink realpath": "R~ c: format: printf: | m*",
  du: "R~ d: t: B: X< exclude: exclude-from< files0-from< | l*",
  df: "R~ | m*",
  file: "R~ C! z! Z! compile! uncompress! m< magic-file< f< files-from< F: e: P: | m*",
  tree: "R~ o> R! L: P: I: H: T: | l*",
  sort: "R~f k: t: S: o> T% output> compress-program% temporary-directory% key: field-separator: buffer-size: files0-from< | r*",
  // Where options end at the first operand, what looks like one behind it is the file that is written.
  uniq: "R~+f f: s: w: | r w",
  shuf: "R~ n: i: o> output> random-source< | r*",
  xxd: "R-+ a autoskip b bits C capitalize d e E p ps plain postscript r revert u v h c: cols: g: groupsize: i include l: len: n: name: o: offset: s: seek: | r w",
  iconv: "R~ f: t: o> output> from-code: to-code: | r*",
  rg: "R~#fs pre% hostname-bin% z! search-zip! e: f< g: t: T: A: B: C: m: M: d: j: r: E: regexp: file< glob: iglob: type: type-not: pre-glob: ignore-file< | p/e,f,regexp,file,files,type-list r*",
  "ag ack": "R~fs pager% ackrc% output% G: m: g: ignore: path-to-ignore< | p r*",
  "fd fdfind":
    "R~n x! X! exec! exec-batch! e: t: E: d: c: S: o: j: extension: type: exclude: base-directory< search-path< ignore-file< | p l*",
  jq: "R~ f% from-file% L% library-path% arg= argjson= slurpfile= rawfile= | p r*",
  yq: "R~ security-enable-system-operator! i! inplace! in-place! s% split-exp% split-exp-file% from-file% L% library-path% arg= argjson= slurpfile= rawfile= | p r*",
  awk: "R F: v: f% field-separator: assign: file% | p r*",
  sed: "R -nErsuz e: l: i! f% quiet silent regexp-extended posix separate unbuffered null-data sandbox debug expression: line-length: in-place! file% | p/e,expression r*",
  date: "R~k I? d: r< f< s% set% date: reference< file< | +*",
  "less more": "R~# o> O> k% t% tag% T% log-file> LOG-FILE> lesskey-file% lesskey-src% lesskey-content% tag-file% | r*",
  man: "R -kfwaWI S: s: | t*",
  "ps top": "R~# | t*",
  lsof: "R~ D! | t*",
  ss: "R~ K! kill! D> diag> N! net! F< filter< | t*",
  dmesg: "R~ c! C! D! E! n! clear! read-clear! console-off! console-on! console-level! F< file< | x*",
  journalctl:
    "R~ vacuum-size! vacuum-time! vacuum-files! rotate! flush! sync! relinquish-var! smart-relinquish-var! setup-keys! update-catalog! cursor-file> | t*",
  fuser: "R~ k! i! M! w! kill! interactive! | t*",
  "nm size objdump readelf strings": "R~ plugin% o> | r*",
  printenv: "R~ | t*",
  tee: "R~ | o*",
};
