# shellcheck shell=bash
# Sourced by the other scripts: where the checkout is, and how what is missing gets installed.
# Nothing is installed that is there already, and the package lists are read at most once a run.

set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
export LC_ALL=C.UTF-8
. "$root/scripts/java.sh"

say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# retry TRIES COMMAND...: for what talks to a network.
retry() {
  local tries=$1 n
  shift
  for ((n = 1; ; n++)); do
    "$@" && return 0
    ((n < tries)) || return 1
    say "failed (try $n of $tries), once more in $((n * 5)) s: $*"
    sleep $((n * 5))
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo -n "$@"
  else
    die "need root to run: $*"
  fi
}

# quietly COMMAND...: its output is shown only if it fails.
quietly() {
  local log
  log="$(mktemp)"
  if "$@" </dev/null >"$log" 2>&1; then
    rm -f "$log"
  else
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
}

apt_updated=
# install_packages PACKAGE...: Debian packages; those that are installed cost nothing.
install_packages() {
  local package missing=()
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die "please install by hand (this is not a Debian system): $*"
  for package in "$@"; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "installing ${missing[*]} and what they need"
  if [ -z "$apt_updated" ]; then
    retry 3 quietly as_root apt-get -qq update || die "apt-get update failed"
    apt_updated=yes
  fi
  retry 3 quietly as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" ||
    die "could not install ${missing[*]}"
}

# need COMMAND PACKAGE: PACKAGE is installed if COMMAND is not there.
need() {
  command -v "$1" >/dev/null || install_packages "$2"
}

# setup_build: a JDK of 17 or newer in JAVA_HOME, and Maven.
setup_build() {
  if ! JAVA_HOME="$(find_java_home javac)"; then
    install_packages openjdk-17-jdk-headless
    JAVA_HOME="$(find_java_home javac)" || die "no JDK of version 17 or newer found after installing one"
  fi
  export JAVA_HOME
  need mvn maven
  need flock util-linux
}

# maven ARGUMENT...: in the checkout's root, without colours, progress or questions.
maven() {
  (cd "$root" && mvn -B -ntp -Dstyle.color=never "$@" </dev/null)
}
