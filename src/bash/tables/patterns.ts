/** Small commands that change nothing when their arguments look a certain way. */

/** What the arguments, joined by spaces, must look like. */
export const patterns: Readonly<Record<string, RegExp>> = {
  hostname: /^(-[adfiIsyA]|--(fqdn|short|ip-address|all-ip-addresses|domain|long|all-fqdns))?$/,
  ifconfig: /^(-[asv]|[\w.:-]+)?$/,
  route: /^(-[ne46]+ ?)*$/,
  arp: /^(-[anev]+ ?)*$/,
  ip: /^((-[46aDdhjopstr]|-(br(ief)?|color|c|details|family \w+|human|iec|json|oneline|pretty|resolve|stats|statistics|timestamp)) )*(a(ddr(ess)?)?|l(ink)?|r(oute)?|n(eigh(bour)?)?|ru(le)?|maddr|tunnel|netns)( (show|list|ls|get|lst)( .*)?)?$/,
  sysctl: /^((-[aAnNeq]+|--(all|names|values|ignore)|[\w./]+)( |$))*$/,
  crontab: /^-l$/,
  mount: /^(-l|-v)?$/,
  stty: /^(-a|--all|size|speed)?$/,
  tput: /^(-T\S+ )?(cols|lines|colors|longname|sgr0|bold|setaf \d+|clear)$/,
  umask: /^-?S?p?$/,
  ulimit: /^(-[HS]?[a-zA-Z])?$/,
  hash: /^(-l|-t [\w.+-]+)?$/,
  jobs: /^(-[lnprs]+)?$/,
  dirs: /^(-[lpv]+)?$/,
  history: /^\d*$/,
  alias: /^(-p)?$/,
  trap: /^(-[lp]( \w+)*)?$/,
  shopt: /^((-[pq] ?)*[\w ]*|-[su]( (nullglob|globstar|failglob|inherit_errexit))+)$/,
  complete: /^-p/,
  bind: /^-[lpPsSvV]$/,
  enable: /^(-[anps]+)?$/,
  caller: /^\d*$/,
  compgen: /^-[abcdefgjksuv]+( [\w./-]*)?$/,
  kill: /^-(l|L)( \w+)?$/,
  atq: /^$/,
  systemctl:
    /^(--(no-pager|user|system|all|failed|full|plain|no-legend|state=\S+|type=\S+) )*(status|show|cat|is-\w+|list-[\w-]+|get-default)( (--(no-pager|all|full|failed|plain|(type|state)=\w+)|-[lan]\d*|[\w@.:*/][\w@.:*-]*))*$/,
  timedatectl: /^(status|show|list-timezones)?$/,
  hostnamectl: /^(status)?$/,
  getent: /^(passwd|group|services|protocols)( \S+)*$/,
  dpkg: /^(-[lLsSpc]|--(list|listfiles|status|search|print-architecture|get-selections|version))( [\w.+:*/][\w.+:*/-]*)*$/,
  "apt apt-get": /^(list|show|search|policy)( (--(installed|upgradable|all-versions)|[\w.+:*-]+))*$/,
  "apt-cache": /^(show|search|policy|madison|depends|rdepends|pkgnames|stats)( [\w.+:*][\w.+:*-]*)*$/,
  rpm: /^-q[ailfdcR]*( [\w./+:][\w./+:-]*)*$/,
  brew: /^(--version|list|--prefix|leaves)( \w[\w@./-]*)*$/,
  "pip pip3":
    /^((list|show|freeze|check)( (--(local|user|format=\w+|not-required|verbose|files|no-color|disable-pip-version-check)|-[vqflou]|\w[\w.-]*))*|--version|-V)$/,
  go: /^(version|help( \w+)*|env( [A-Z]\w*)*)$/,
  openssl:
    /^(version( -\w)*|x509( -(noout|text|in [^ ]+|subject|issuer|dates|fingerprint|serial|enddate|startdate|purpose))+|(dgst|md5|sha1|sha256|sha512)( -(sha1|sha256|sha384|sha512|md5|r|hex|c))*( [^- ][^ ]*)*)$/,
};

/**
 * Programs that print their version, or what they can do, and end when that is all they are asked: the name, a space, the
 * option. Some are not here because the folder they run in decides which program answers: `cargo`, `yarn`, `pnpm`.
 */
export const versioned: RegExp =
  /^((node|nodejs|npm|python[\d.]*|ruby|perl|php|java|javac|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|make|cmake|deno|bun|docker|gh|tsc|uv|pipx|poetry|lua|bash|zsh|curl|wget|ssh|rsync|ffmpeg|sqlite3|psql|mysql|helm|redis-cli|vim|nvim|jq|fzf|gem|zig|nix|tar|gzip|openssl|sed|awk|find|grep|rg|fd|bat|eza|ruff|prettier|eslint|biome|hyperfine) --(version|help)|(python[\d.]*|curl|ssh|psql|mysql|tmux) -V|(node|nodejs|npm|ruby|perl|php|gcc|g\+\+|cc|clang|make|tsc|docker|lua) -v|(java|javac) -version)$/;

/** Tools whose sub-command runs a program: the rest of the line is one. */
export const runners: ReadonlySet<string> = new Set(
  "npm pnpm yarn bun poetry uv pipenv hatch pdm rye conda mamba pipx bundle mise direnv asdf rbenv pyenv nodenv".split(
    " ",
  ),
);

/** The sub-commands that do so; with the tools of JavaScript, `run` names a script instead. */
export const runningWords: RegExp = /^(exec|dlx|x)$/;

/** The tools with which `run` names a program. */
export const runsPrograms: RegExp = /^(poetry|uv|pipenv|hatch|pdm|rye|conda|mamba|pipx)$/;
