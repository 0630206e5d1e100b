# shellcheck shell=bash
# Sourced: which Java to use.

# java_major HOME: 17 for the JDK in HOME.
java_major() {
  local version=
  if [ -r "$1/release" ]; then
    version="$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")"
  fi
  if [ -z "$version" ]; then
    version="$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)"
  fi
  printf '%s\n' "${version:-0}"
}

# find_java_home PROGRAM: the home of a Java of 17 or newer that has bin/PROGRAM (java or javac):
# JAVA_HOME, the one on PATH, then Debian's folder with the lowest version that will do.
find_java_home() {
  local program=$1 home
  local -a homes=()
  [ -z "${JAVA_HOME:-}" ] || homes+=("$JAVA_HOME")
  if command -v "$program" >/dev/null; then
    home="$(readlink -f "$(command -v "$program")")"
    homes+=("${home%/bin/*}")
  fi
  while IFS= read -r home; do
    homes+=("$home")
  done < <(ls -d /usr/lib/jvm/*/ 2>/dev/null | sed 's,/$,,' | sort -V)
  for home in "${homes[@]}"; do
    if [ -x "$home/bin/$program" ] && [ -x "$home/bin/java" ] && [ "$(java_major "$home")" -ge 17 ]; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  return 1
}
