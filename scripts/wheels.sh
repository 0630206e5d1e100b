#!/usr/bin/env bash
# Makes one virtual environment for each Mooncake release that Tidemark is tested with, in a folder
# that all checkouts of the user share: $TIDEMARK_WHEELS, else ~/.cache/tidemark/wheels. What is
# there already is left alone.
#
#   scripts/wheels.sh              all releases
#   scripts/wheels.sh RELEASE...   these
#   scripts/wheels.sh --list       their names
#   scripts/wheels.sh --folder     where they are or would be
#
# scripts/wheel-env runs a command in one of them.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

wheels="$("$root/scripts/wheel-env" --folder)"
releases=(0.3.10.post2 0.3.11.post1 0.3.12.post1 0.3.13.post1 0.3.14)
# What the wheels import without saying so.
common=(aiohttp==3.14.5 requests==2.34.2 msgpack==1.2.4)
recipe=1 # raise it when an environment has to be made anew

# The packages of a release. 0.3.12.post1 links CUDA's run-time library although it is the build
# without CUDA; of 0.3.14 there is no build without.
packages() {
  case "$1" in
    0.3.12.post1) echo "mooncake-transfer-engine-non-cuda==$1 nvidia-cuda-runtime-cu12==12.9.79" ;;
    0.3.14) echo "mooncake-transfer-engine-cuda13==$1 nvidia-cuda-runtime==13.5.37" ;;
    *) echo "mooncake-transfer-engine-non-cuda==$1" ;;
  esac
}

find_python() {
  local python
  for python in ${TIDEMARK_PYTHON:-} /usr/bin/python3.11 python3.11 python3; do
    if "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
      command -v "$python"
      return 0
    fi
  done
  return 1
}

# The driver's library exists only where there is a GPU. The wheel's client links it but needs none
# of it for TCP: a library of that name whose functions all answer "no device" (100) will do.
make_driver_stub() {
  local env=$1 names
  mkdir -p "$env/stub"
  names="$(find "$env/lib" -path '*/mooncake/*' -name '*.so' -exec nm -D --undefined-only {} + |
    sed -n 's/^ *U \(cu[A-Z][A-Za-z0-9_]*\)$/\1/p' | sort -u)"
  [ -n "$names" ] || die "no functions of the GPU driver found in $env"
  {
    echo '/* Made by scripts/wheels.sh: a GPU driver library on a machine without a GPU. */'
    printf '%s\n' "$names" | sed 's/.*/int &(void) { return 100; }/'
  } >"$env/stub/libcuda.c"
  gcc -shared -fPIC -O1 -Wl,-soname,libcuda.so.1 -o "$env/stub/libcuda.so.1" "$env/stub/libcuda.c"
}

# within SECONDS COMMAND...: nothing here may wait for ever, a download that has stalled least of all.
within() { timeout -k 10 "$@" </dev/null; }

# pip_install ENV PACKAGE...: what pip did is shown if it fails.
pip_install() {
  local env=$1
  shift
  rm -f "$env/pip.log"
  within 400 "$env/bin/python" -m pip install -q --log "$env/pip.log" --disable-pip-version-check \
    --no-input --progress-bar off --retries 3 --timeout 30 "$@" >&2 && return 0
  say "pip failed or took longer than 400 s; the end of $env/pip.log:"
  tail -n 20 "$env/pip.log" >&2 || true
  return 1
}

make_env() {
  local release=$1 env="$wheels/$1" wanted site
  wanted="recipe $recipe: $(packages "$release") ${common[*]}"
  if [ "$(cat "$env/.complete" 2>/dev/null)" = "$wanted" ]; then
    return 0
  fi
  say "making the environment of Mooncake $release"
  rm -rf "$env"
  within 180 "$python" -m venv "$env" || die "could not make a virtual environment in $env"
  # shellcheck disable=SC2046
  retry 4 pip_install "$env" $(packages "$release") "${common[@]}" ||
    die "pip could not install $(packages "$release")"
  # The wheel's own mooncake_master is a Python script that in older releases starts the program as
  # a child, which outlives a kill -9. This one is the program itself.
  site="$(echo "$env"/lib/python3.*/site-packages)"
  mkdir -p "$env/native"
  chmod +x "$site/mooncake/mooncake_master"
  ln -s "$site/mooncake/mooncake_master" "$env/native/mooncake_master"
  if [ "$release" = 0.3.14 ]; then
    make_driver_stub "$env"
  fi
  within 120 "$root/scripts/wheel-env" --unfinished "$release" python -c 'import mooncake.store' >&2 ||
    die "the client of Mooncake $release does not load"
  within 60 "$root/scripts/wheel-env" --unfinished "$release" mooncake_master --version >/dev/null ||
    die "the master of Mooncake $release does not start"
  printf '%s\n' "$wanted" >"$env/.complete"
}

case "${1:-}" in
  --list)
    printf '%s\n' "${releases[@]}"
    exit 0
    ;;
  --folder)
    printf '%s\n' "$wheels"
    exit 0
    ;;
  -*)
    say "usage: scripts/wheels.sh [--list | --folder | RELEASE...]"
    exit 2
    ;;
esac

[ "$(uname -m)" = x86_64 ] || die "Mooncake's wheels are for x86_64"
need flock util-linux
mkdir -p "$wheels"
exec 9>"$wheels/.lock"
flock -w 1800 9 || die "another run has held $wheels/.lock for half an hour"

# What the wheels link and do not bring along.
install_packages libibverbs1 ibverbs-providers libnuma1 libcurl4 libgssapi-krb5-2 libstdc++6 zlib1g liblzma5
python="$(find_python)" || {
  install_packages python3 python3-venv
  python="$(find_python)" || die "the wheels need Python 3.11; name one in TIDEMARK_PYTHON"
}
need nm binutils
echo 'int x;' | gcc -shared -fPIC -x c -o /dev/null - 2>/dev/null || install_packages gcc libc6-dev

(($#)) || set -- "${releases[@]}"
for release in "$@"; do
  case " ${releases[*]} " in
    *" ${release#v} "*) make_env "${release#v}" ;;
    *) die "unknown release $release; scripts/wheels.sh --list names them" ;;
  esac
done
