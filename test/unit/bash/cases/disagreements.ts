/** Where this reading differs from AgentScope's, check by check, and why. */

/** One reason with the commands it holds for. */
export interface Disagreement {
  /** The check of AgentScope that the commands belong to. */
  check: string;
  /** Why the other answer is right here. */
  reason: string;
  commands: readonly string[];
}

/** Nothing else may differ, and all of these must: a disagreement that vanishes is to be removed here. */
export const disagreements: readonly Disagreement[] = [
  {
    check: "check_injection_risk",
    reason:
      "loops, conditions, groups and functions are read part by part, and every part is harmless or judged itself",
    commands: [
      "case $1 in start) echo starting;; stop) echo stopping;; esac",
      "case $var in a) echo A;; b) echo B;; *) echo other;; esac",
      "for f in *.txt; do cat $f; done",
      "for i in 1 2 3; do echo $i; done",
      "for file in $(ls); do rm $file; done",
      "function myfunc() { echo hello; }",
      "myfunc() { ls -la; }",
      "if [ -f file.txt ]; then cat file.txt; fi",
      "if test -d /tmp; then echo exists; fi",
      "if [ $? -eq 0 ]; then echo success; else echo fail; fi",
      "git status && (cd /tmp; ls)",
      "echo start && for f in *.txt; do cat $f; done",
      "(cd /tmp && ls)",
      "(export VAR=value; echo $VAR)",
      "echo before && (cd /tmp; pwd) && echo after",
      "while read line; do echo $line; done < file.txt",
      "while true; do sleep 1; done",
      "while [ $i -lt 10 ]; do echo $i; i=$((i+1)); done",
    ],
  },
  {
    check: "check_injection_risk",
    reason: "the substituted command only reads, and the outer one is harmless with whatever it prints",
    commands: [
      "ls `pwd`",
      "echo `date`",
      "ls $(pwd)",
      "echo $(date)",
      "diff <(ls dir1) <(ls dir2)",
      "cat <(echo hello)",
    ],
  },
  {
    check: "Bash.check_permissions",
    reason: "as above: nothing here changes anything or leaves the workspace",
    commands: [
      "ls $(pwd)",
      "for f in *.txt; do cat $f; done",
      "while read line; do echo $line; done < file.txt",
      "if [ -f file.txt ]; then cat file.txt; fi",
    ],
  },
  {
    check: "Bash.check_permissions",
    reason: "it asks because it leaves the workspace, not because of the subshell; a rule may allow that",
    commands: ["(cd /tmp && ls)"],
  },
  {
    check: "check_sed_constraints",
    reason: "the script is read completely, so blocks, negation, d, a, i and the options -r and -u need no prompt",
    commands: [
      "sed '{s/old/new/}' file.txt",
      "sed '!s/old/new/' file.txt",
      "sed -r 's/old/new/' file.txt",
      "sed -u 's/old/new/' file.txt",
      "sed 'd' file.txt",
      "sed 'a\\text' file.txt",
      "sed 'i\\text' file.txt",
    ],
  },
  {
    check: "extract_file_paths",
    reason: "a mode or an owner is no path",
    commands: [
      "chmod +x script.sh",
      "chown user:group file.txt",
      "chown -R user /var/www",
      "touch new.txt && chmod +x new.txt",
    ],
  },
  {
    check: "extract_file_paths",
    reason: "quotes do not hide a path",
    commands: ['rm "file with spaces.txt"', "rm 'file.txt'", 'mv "old file.txt" "new file.txt"'],
  },
  {
    check: "extract_redirections",
    reason: "quotes do not hide a path",
    commands: ['echo "hello" > "output file.txt"', "cat file.txt > 'backup.txt'", 'ls > "file with spaces.log"'],
  },
  {
    check: "extract_command_prefixes",
    reason: "what only reads needs no rule",
    commands: [
      "git commit || git status",
      "docker ps | grep nginx",
      "git add . && git commit && git push && git status",
    ],
  },
  {
    check: "extract_command_prefixes",
    reason: "tee writes, so without a rule for it the same line would ask again",
    commands: ["npm install && npm run build | tee log.txt", "npm run build | tee output.log"],
  },
  {
    check: "extract_command_prefixes",
    reason: "leaving the workspace asks, and a rule for the cd is what makes that unnecessary",
    commands: ["cd /tmp; ls -la; pwd", "cd /tmp"],
  },
  {
    check: "extract_command_prefixes",
    reason: "PATH decides which programs run, so no rule for one of them covers it",
    commands: ["PATH=/usr/bin npm run build"],
  },
  {
    check: "extract_command_prefixes",
    reason: "python -m alone would allow any module",
    commands: ["PYTHONUNBUFFERED=1 python -m pytest", "python -m pytest"],
  },
];
