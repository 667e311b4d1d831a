// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions, not templates
import { describe, expect, test } from "vitest";
import { analyzeBash, matchBashRule, suggestBashRules, uncoveredUnits } from "../../../src/bash/index.ts";
import { decide } from "./decide.ts";

describe("allow rules", () => {
  test.each<[rule: string, covered: string[], uncovered: string[]]>([
    [
      "npm run:*",
      ["npm run build", "npm  run\tbuild", "npm 'run' build", "npm run", "timeout 5 npm run x", "npm run a | tail -3"],
      ["npm install", "npm run-script x", "xnpm run", "./npm run x", "npm run a; rm b", "npm run a > log"],
    ],
    ["npm test", ["npm test", " npm   test ", "npm 'test'"], ["npm test-evil", "npm test x", "npm test > log"]],
    ["git commit:*", ["git commit -m 'a b'", "git commit", "cd src && git commit"], ["git push", "git -C x commit"]],
    ["git commit:*", ['git commit -m "$X"', 'git commit -m "$(date)"'], ["git commit -m x && git push"]],
    ["git commit:*", [], ["git commit -m `touch x`", "git commit --no-verify", "GIT_DIR=x git commit"]],
    ["git * main", ["git push origin main", "git push main"], ["git push", "git main"]],
    ["git *", ["git add .", "git"], ["github", "gitk"]],
    ["echo:*", [], ["echo x > ~/.bashrc", "echo x > a", "echo $(rm x)"]],
    ["cargo check", ["cargo check"], ["cargo check > ~/.zshrc", "cargo check > log", "cargo check --x"]],
    ["touch:*", ["touch a b", "\\touch 2>/dev/null", "command touch a", "/usr/bin/touch a"].slice(0, 1), ["./touch a"]],
    ["touch:*", ["command touch a", "/usr/bin/touch a", "touch a 2>/dev/null", "for f in a; do touch $f; done"], []],
    ["sort:*", [], ["sort -o x a", "sort --compress-program=x a"]],
    ["sort -o:*", ["sort -o x a"], ["sort a -o x", "sort -ox a"]],
    ["git push:*", ["git push", "git push origin main"], ["git push --force", "git push origin +main", "git push -f"]],
    ["git push --force:*", ["git push --force origin"], ["git push origin --force"]],
    ["sudo:*", [], ["sudo apt update", "sudo rm x"]],
    ["sudo frob:*", ["sudo frob x"], ["sudo rm x", "frob x"]],
    ["sudo apt update", ["sudo apt update"], ["sudo apt update x"]],
    ["apt:*", [], ["sudo apt update"]],
    ["env:*", [], ["env touch x"]],
    ["timeout:*", [], ["timeout 5 touch x"]],
    ["xargs:*", [], ["ls | xargs touch"]],
    ["xargs touch:*", ["ls | xargs touch"], []],
    ["bash:*", [], ["bash -c 'touch x'", "bash x.sh"]],
    ["bash x.sh:*", ["bash x.sh", "bash x.sh a"], ["bash y.sh"]],
    ["python:*", [], ["python x.py", "python -c 1", "python -m pytest"]],
    ["python x.py:*", ["python x.py -v"], ["python y.py"]],
    ["python -m pytest:*", ["python -m pytest -x"], ["python -m http.server"]],
    ["rm \\*.log", ["rm *.log"], ["rm a.log", "rm -r *.log"]],
    ["echo \\*", ["echo *"], ["touch a"]],
    ["NODE_ENV=test npm test", ["NODE_ENV=test npm test"], ["NODE_ENV=x npm test", "npm test"]],
    ["npm test", ["NODE_ENV=test npm test"].slice(1), ["FOO=1 npm test", "LD_PRELOAD=x npm test"]],
    ["npm test:*", ["NODE_ENV=test npm test"], ["FOO=1 npm test", "LD_PRELOAD=x npm test"]],
    ["make > log", ["make > log", "make >log"], ["make > other", "make"]],
    ["make | tee log", ["make | tee log"], ["make", "make | tee x"]],
    [":*", [], ["touch x"]],
    ["", [], ["touch x"]],
    ["cat:*", ["cat /srv/a"], ["cat /srv/a; touch b"]],
  ])("%j", (rule, covered, uncovered) => {
    const allowed = (command: string): boolean => decide(command, { allow: [rule] }) === "allow";
    expect([covered.filter((one) => !allowed(one)), uncovered.filter(allowed)]).toEqual([[], []]);
  });

  test("cover a line together", () => {
    const allow = ["git add:*", "git commit:*", "tee log"];
    const line = "git add . && git commit -m x | tee log; ls";
    expect(decide(line, { allow })).toBe("allow");
    expect(decide(line, { allow: allow.slice(1) })).toBe("ask");
    expect(matchBashRule("git commit:*", line, "allow")).toBe(false);
    expect(uncoveredUnits(["git commit:*"], analyzeBash(line)).map(({ name }) => name)).toEqual(["git", "tee"]);
  });

  test("do not reach a redirection of a whole loop", () => {
    expect(decide("for f in a; do touch $f; done > log", { allow: ["touch:*"] })).toBe("ask");
    expect(decide("{ ls; } > log", { allow: ["ls:*", "*"] })).toBe("ask");
  });

  test("cover no line that cannot be read", () => {
    for (const line of ["touch 'a", "touch $(", "$X", "eval $X", "touch a\u200b", `touch ${"a".repeat(70_000)}`]) {
      expect(decide(line, { allow: [line, "touch:*", "*"] })).toBe("ask");
    }
  });
});

describe("deny rules", () => {
  test.each([
    "rm x",
    " rm x",
    "ls && rm x",
    "ls\nrm x",
    "/bin/rm x",
    "./rm x",
    "\\rm x",
    "'r'm x",
    "$'\\x72m' x",
    "{rm,x}",
    "sudo rm x",
    "sudo -u root -- rm x",
    "doas rm x",
    "env rm x",
    "env -u A B=1 rm x",
    "env -S 'rm x'",
    "nice -n 5 rm x",
    "nohup rm x &",
    "timeout -s KILL 5 rm x",
    "setsid -w rm x",
    "stdbuf -oL rm x",
    "command rm x",
    "exec rm x",
    "time rm x",
    "/usr/bin/time -v rm x",
    "xargs rm",
    "xargs -0 -n1 sudo rm",
    "ls | xargs -I{} rm {}",
    "find . -exec rm {} +",
    "find . -execdir sudo rm {} \\;",
    "busybox rm x",
    "flock l rm x",
    "flock l -c 'rm x'",
    "watch -n1 'rm x'",
    "script -c 'rm x' /dev/null",
    "su -c 'rm x' root",
    "chroot /x rm x",
    "strace -o log rm x",
    "npx rm x",
    "npm exec -- rm x",
    "poetry run rm x",
    "sh -c 'rm x'",
    "bash -lc 'ls; rm x'",
    "sh <<'E'\nrm x\nE",
    "eval 'rm x'",
    "eval rm x",
    "trap 'rm x' EXIT",
    "f() { rm x; }",
    "coproc rm x",
    "echo $(rm x)",
    "echo `rm x`",
    "cat <(rm x)",
    "x=$(rm x)",
    "a[$(rm x)]=1",
    "echo ${x:-$(rm x)} $((`rm x`))",
    "[[ $(rm x) ]]",
    "cat <<E\n$(rm x)\nE",
    "for f in $(rm x); do ls; done",
    "if rm x; then ls; fi",
    "case $(rm x) in *) ls;; esac",
    "{ (rm x); } > log",
    "! rm x",
    "ls 'a; rm x",
    "LD_PRELOAD=x rm x",
    'sudo sh -c "env rm x"',
  ])("rm:* sees %j", (command) => {
    expect(matchBashRule("rm:*", command, "deny")).toBe(true);
    expect(decide(command, { deny: ["rm:*"], allow: ["*"], mode: "bypass" })).toBe("deny");
  });

  test.each(["echo rm x", "echo 'rm x'", "ls # rm x", "cat <<'E'\n$(rm x)\nE", "rmdir x", "git rm x", "npm run rm"])(
    "rm:* leaves %j alone",
    (command) => {
      expect(matchBashRule("rm:*", command, "deny")).toBe(false);
    },
  );

  test.each([
    ["git push:*", "cd x && git push"],
    ["git push:*", "git -C x push"],
    ["git push:*", "git --no-pager -c a.b=c push origin"],
    ["git push:*", "sudo git -C x push"],
    ["git push", "git push origin main"],
    ["install", "npm install package"],
    ["install", "pip install requests"],
    ["docker run:*", "docker --log-level debug run x"],
    ["curl *", "sh -c 'curl http://x'"],
    ["* --force", "git push --force"],
    [":*", "ls"],
    ["*", "ls"],
  ])("%s sees %j", (rule, command) => {
    expect(matchBashRule(rule, command, "deny")).toBe(true);
    expect(matchBashRule(rule, command, "ask")).toBe(true);
  });

  test("are stronger than reading and allow rules", () => {
    expect(decide("cat a", { deny: ["cat:*"], allow: ["cat:*"] })).toBe("deny");
    expect(decide("cat a", { ask: ["cat:*"], allow: ["cat:*"] })).toBe("ask");
    expect(decide("cat a", { ask: ["cat:*"], mode: "dont_ask" })).toBe("deny");
  });
});

describe("wildcards", () => {
  test("take no time that grows with their number", () => {
    const pattern = `a${"*a".repeat(2000)}b`;
    expect(matchBashRule(pattern, `a${"a".repeat(20_000)}`, "deny")).toBe(false);
  });

  test.each([
    ["file\\*.txt", "file*.txt", true],
    ["file\\*.txt", "file123.txt", false],
    ["a\\\\*", "a\\b", true],
    ["a * b * c", "a x b y c", true],
    ["a * b", "a b", false],
    ["a*c", "abc", true],
    ["a*bc*bcd", "abcbcd", true],
    ["* x", "a\nb x", true],
  ])("%j and %j: %j", (rule, command, expected) => {
    expect(matchBashRule(rule, command, "deny")).toBe(expected);
  });
});

describe("suggestions", () => {
  test.each<[string, string[]]>([
    ["npm run build", ["npm run:*"]],
    ["git add . && git commit -m 'a b' && git push", ["git add:*", "git commit:*", "git push:*"]],
    ["npm run a; npm run b", ["npm run:*"]],
    ["ls && npm test | tail", ["npm test:*"]],
    ["a | tee x", ["a", "tee x"]],
    ["make", ["make"]],
    ["make build", ["make build:*"]],
    ["cargo build --release", ["cargo build:*"]],
    ["docker compose up -d", ["docker compose:*"]],
    ["timeout 60 npm test", ["npm test:*"]],
    ["nice cargo test", ["cargo test:*"]],
    ["NODE_ENV=test npm test", ["npm test:*"]],
    ["python x.py", ["python x.py"]],
    ["python -m pytest tests", ["python -m pytest:*"]],
    ["python -c 'print(1)'", ["python -c 'print(1)'"]],
    ["node script.js --flag", ["node script.js --flag"]],
    ["bash build.sh", ["bash build.sh"]],
    ["sudo apt update", ["sudo apt update"]],
    ["mkdir a", ["mkdir a"]],
    ["touch 'a b'", ["touch 'a b'"]],
    ["rm *.log", ["rm \\*.log"]],
    ["make > log", ["make > log"]],
    ["git push --force", ["git push --force"]],
    ["sort -o a b", ["sort -o a b"]],
    ["./gradlew build", ["./gradlew build:*"]],
    ["ls /srv", ["ls /srv"]],
    ["find . -exec touch {} +", []],
    ["ls", []],
    ["FOO=1 npm test", []],
    ["API_KEY=abc npm run deploy", []],
    ["LD_PRELOAD=x npm test", []],
    ["$X y", []],
    ["eval $X", []],
    ["ls 'a", []],
    ["rm -rf build", []],
    ["cat .env", []],
    ["touch $(date)", []],
    ['touch "$X"', []],
    ["for f in a; do touch $f; done > log", []],
    [Array.from({ length: 12 }, (_, index) => `touch a${index}`).join("; "), []],
  ])("for %j: %j", (command, expected) => {
    expect(suggestBashRules(analyzeBash(command))).toEqual(expected);
  });

  test("leave out what rules in force cover", () => {
    expect(suggestBashRules(analyzeBash("git add . && npm test"), ["git add:*"])).toEqual(["npm test:*"]);
  });
});
