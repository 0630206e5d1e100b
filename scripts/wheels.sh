#!/usr/bin/env bash
# Makes one virtual environment for each Mooncake release that Tidemark is tested with, under
# .wheels/RELEASE (or $TIDEMARK_WHEELS/RELEASE). What is there already is left alone.
#
#   scripts/wheels.sh              all releases
#   scripts/wheels.sh RELEASE...   these
#   scripts/wheels.sh --list       their names
#
# scripts/wheel-env runs a command in one of them.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

wheels="${TIDEMARK_WHEELS:-$root/.wheels}"
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

make_env() {
  local release=$1 env="$wheels/$1" wanted site
  wanted="recipe $recipe: $(packages "$release") ${common[*]}"
  if [ "$(cat "$env/.complete" 2>/dev/null)" = "$wanted" ]; then
    return 0
  fi
  say "making the environment of Mooncake $release"
  rm -rf "$env"
  "$python" -m venv "$env"
  # shellcheck disable=SC2046
  retry 4 "$env/bin/python" -m pip install -q --disable-pip-version-check --no-input \
    --retries 5 --timeout 60 $(packages "$release") "${common[@]}" </dev/null >&2 ||
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
  "$root/scripts/wheel-env" --unfinished "$release" python -c 'import mooncake.store' >&2 ||
    die "the client of Mooncake $release does not load"
  "$root/scripts/wheel-env" --unfinished "$release" mooncake_master --version >/dev/null ||
    die "the master of Mooncake $release does not start"
  printf '%s\n' "$wanted" >"$env/.complete"
}

case "${1:-}" in
  --list)
    printf '%s\n' "${releases[@]}"
    exit 0
    ;;
  -*)
    say "usage: scripts/wheels.sh [--list | RELEASE...]"
    exit 2
    ;;
esac

[ "$(uname -m)" = x86_64 ] || die "Mooncake's wheels are for x86_64"
need flock util-linux
mkdir -p "$wheels"
exec 9>"$wheels/.lock"
flock 9

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
