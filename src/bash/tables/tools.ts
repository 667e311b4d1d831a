/** Tools with sub-commands besides git. The language is that of `command/grammar.ts`. */

const dockerList = "R~ host% context% config% f: filter: n: last: format: | t*";
const kube =
  "R~c k% kustomize% kuberc% as-uid% tls-server-name% username% password% kubeconfig% context% cluster% user% server% s% token% as% as-group% client-certificate% client-key% certificate-authority% insecure-skip-tls-verify% cache-dir% profile! profile-output> output-directory> log-file> log-dir> raw% f< filename< n: namespace: l: selector: o: output: c: container: tail: since: field-selector: sort-by: | t*";
const gh = "R~ w! web! R: repo: L: limit: s: state: q: jq: t: template: json: search: | t*";

/** Grammars by tool and sub-command. */
export const tools: Readonly<Record<string, string>> = {
  docker:
    "*+ -D debug v version l: log-level: H% host% c% context% config% tls! tlscacert% tlscert% tlskey% tlsverify!",
  "docker/(ps images container/ls container/ps container/list image/ls image/list volume/ls network/ls)": dockerList,
  "docker/(container image volume network system buildx)": "*",
  "docker/(inspect logs version info history top port diff stats container/inspect container/logs image/inspect image/history volume/inspect network/inspect system/df system/info)":
    "R~ host% context% config% f: format: n: tail: since: until: type: | t*",
  "docker/(run exec cp compose/exec compose/run)":
    "W! v% volume% mount% privileged! pid% net% network% ipc% userns% cap-add% security-opt% device% e: env: w: u: user: name: entrypoint%",
  "docker/compose": "^c f% file% p: project-name: profile: env-file% project-directory%",
  "docker/(compose/ps compose/logs compose/ls compose/images compose/top compose/version)":
    "R~c n: tail: since: format: filter: status: | t*",
  kubectl:
    "*+c n: namespace: v: kuberc% as-uid% tls-server-name% username% password% kubeconfig% context% cluster% user% s% server% token% as% as-group% client-certificate% client-key% certificate-authority% insecure-skip-tls-verify% cache-dir% profile-output%",
  "kubectl/(get describe logs top explain version api-resources api-versions cluster-info)": kube,
  "kubectl/(exec cp run debug)": "W!",
  "kubectl/config": "*",
  "kubectl/(config/get-contexts config/current-context config/view)": "R~c kubeconfig% raw! | t*",
  "kubectl/(rollout auth)": "*",
  "kubectl/(rollout/status rollout/history auth/can-i)": kube,
  gh: "*+ version help R: repo:",
  "gh/(repo issue pr run release workflow label gist search auth cache project ruleset variable alias extension)": "*",
  "gh/(repo/view repo/list issue/list issue/view issue/status pr/list pr/view pr/status pr/diff pr/checks run/list run/view release/list release/view workflow/list workflow/view label/list gist/list search/issues search/prs search/repos search/code search/commits status cache/list variable/list alias/list ruleset/list)":
    gh,
  "gh/api": "W! X% method% f% F% raw-field% field% input% H: q: jq: t: template:",
  "gh/(alias/set alias/import extension/install extension/exec)": "W!",
  npm: "*c -v version silent s",
  "npm/(ls list la ll root prefix explain why query help)":
    "Rc -lpg depth: all long json parseable global prod production dev only: omit: include: link silent s package-lock-only workspaces workspace: w: no-color no-unicode | t*",
  "npm/config": "*c",
  "npm/(config/get config/list config/ls)": "Rc -lg json long global | t*",
  "npm/pkg": "*c",
  "npm/pkg/get": "Rc json | t*",
};
