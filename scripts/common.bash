# Sourced by the scripts beside it: where the project is, how to build it, how to run it on ranks.

set -euo pipefail
exec </dev/null # nothing here ever asks a question
solidyn_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$solidyn_root"

# nproc would take OMP_NUM_THREADS for the number of cores.
jobs=${SOLIDYN_JOBS:-$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)}

# One BLAS thread per rank; runs as root (containers) and on more ranks than cores are allowed, and
# ranks are not pinned, so that two jobs on one machine do not share a core while another idles.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none

say() { printf '%s: %s\n' "$(basename "$0")" "$*"; }

fail() {
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# preset_folder <preset>: where CMakePresets.json puts its build.
preset_folder() {
  if [[ $1 == release ]]; then echo build; else echo "build-$1"; fi
}

# build_preset <preset> <target>...: configures once, builds what changed; quiet when nothing did.
build_preset() {
  local preset=$1 folder
  folder=$(preset_folder "$preset")
  shift
  if [[ ! -f $folder/build.ninja ]]; then cmake --preset "$preset"; fi
  cmake --build "$folder" --parallel "$jobs" --target "$@"
}
