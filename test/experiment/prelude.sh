# Bash reads this before each line, as BASH_ENV: it sets the limits, and has the shell tell its state as it ends.
unset BASH_ENV
ulimit -c 0 -f 40960 -t 3 -u 300 -v 4194304
exec 199>&3 3>&-
trap 'builtin trap - DEBUG ERR RETURN; builtin set +o posix; { builtin declare -p PATH IFS HOME SHELL ENV BASH_ENV CDPATH GLOBIGNORE EXECIGNORE EDITOR VISUAL PAGER BROWSER LD_PRELOAD LD_LIBRARY_PATH PROMPT_COMMAND PS4 TMPDIR GIT_DIR GIT_PAGER GIT_EDITOR LESSOPEN NODE_OPTIONS PYTHONPATH PERL5OPT XDG_CONFIG_HOME; builtin umask; builtin alias; builtin enable -n; builtin ulimit -Sa; builtin ulimit -Ha; builtin hash -l; builtin echo that is all; } 2>/dev/null >&199 || :' EXIT
