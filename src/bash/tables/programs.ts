/** Programs that run other programs or code, or that destroy. The language is that of `command/grammar.ts`. */

/**
 * By names: wrappers with their options, `S`hells, `I`nterpreters (with `i` where they run what comes in), programs
 * that give te`X`t to a shell, that change `D`isks or `H`alt the machine, and words that mean something to `Z`sh only.
 */
export const programs: Readonly<Record<string, string>> = {
  nice: "T0# n: adjustment:",
  ionice: "T0 -t c: n: class: classdata: ignore",
  timeout: "T1 -vfp k: s: kill-after: signal: foreground preserve-status verbose",
  time: "T0 -pvq f: o> a! portability verbose quiet format: output> append!",
  stdbuf: "T0 i: o: e: input: output: error:",
  "command builtin": "T0 -p",
  exec: "T0 -cl a:",
  taskset: "T1 -ca cpu-list all-tasks",
  env: "T0 -i0v ignore-environment null debug u: unset: C% chdir% S% split-string% block-signal? ignore-signal? default-signal?",
  xargs:
    "T0 -0rtx p! o! d: a< E: e? I: i? L: l? n: P: s: null no-run-if-empty verbose exit interactive! open-tty! delimiter: arg-file< eof? replace? max-lines? max-args: max-procs: max-chars: process-slot-var% show-limits",
  nohup: "P0",
  setsid: "P0 -cfw ctty fork wait",
  "rlwrap unbuffer fakeroot faketime cross-env caffeinate": "P0~",
  chrt: "O1 -bdfimorRapv T: P: D:",
  sudo: "O0 -AbBEeHiKklNnPSsVv u: g: C: h: p: r: t: U: D: R: T: user: group: host: prompt: chdir: preserve-env? login shell non-interactive stdin",
  doas: "O0 -nsL u: C:",
  "pkexec runuser": "O0 u: g: G: user: group: keep-cwd disable-internal-agent",
  chroot: "O1 userspec: groups: skip-chdir",
  flock: "O1 -sxeunoFv w: E: shared exclusive unlock nonblock nb timeout: wait: close no-fork verbose c%",
  "unshare nsenter setpriv systemd-run strace ltrace perf valgrind numactl cgexec proxychains proxychains4 torsocks firejail bwrap proot linux32 linux64 setarch dbus-run-session parallel gtimeout gnice busybox toybox":
    "O0~ o> e: p: s: u: j: n: a: t: S: G:",
  "npx bunx pnpx uvx": "O0 -yqs p: package: yes no quiet c: call: from: with: python:",
  "watch script su": "X",
  "noglob nocorrect -": "O0z",
  repeat: "O1z",
  "sh bash dash ash rbash": "S",
  "ksh mksh zsh": "S!",
  "python pypy node nodejs ruby irb perl php lua luajit Rscript R julia tclsh wish expect osascript pwsh powershell gdb lldb sqlite psql mysql mariadb mongo mongosh redis-cli ghci groovy jshell erl iex elixir guile racket sbcl dc tcsh csh fish nu xonsh elvish gawk mawk nawk ed ex":
    "Ii",
  "deno bun ts-node tsx java scala vi vim nvim emacs nano m4 make gmake just rake ant mvn gradle screen tmux ssh-agent":
    "I",
  "mkfs fdisk sfdisk cfdisk gdisk sgdisk parted wipefs shred blkdiscard mkswap format mke2fs hdparm cryptsetup lvremove vgremove pvremove zpool":
    "D",
  "shutdown reboot halt poweroff init telinit": "H",
  "emulate zmodload zf_rm zf_mv zf_ln zf_mkdir zf_rmdir zf_chmod zf_chown sysopen sysread syswrite zsystem autoload zargs zcompile vared setopt unsetopt foreach print whence ztcp zpty":
    "Z",
};
