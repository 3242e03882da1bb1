#!/bin/sh
# A sweep as a job array of a real Slurm on this machine: one task is killed and what is missing submitted again, the shards are
# merged, and the bytes are those of a local run.
#
#   apt-get install --no-install-recommends slurm-wlm munge        (Debian; as root)
#   tests/slurm.sh [KENGA]
#
# It needs root, for the daemons, and says so and ends with 0 where it cannot run. KENGA is target/release/kenga by default.
set -eu

skip() { echo "skipped: $1"; exit 0; }
kenga=$(realpath "${1:-target/release/kenga}")
[ -x "$kenga" ] || { echo "$kenga is not there: cargo build --release"; exit 2; }
for program in munged slurmctld slurmd sbatch scontrol; do
    command -v "$program" >/dev/null 2>&1 || skip "$program is not installed"
done
[ "$(id -u)" = 0 ] || skip "the daemons of Slurm need root"

place=$(mktemp -d)
config=$(cd "$(dirname "$0")/.." && pwd)/configs/sweep-smoke.toml
stop() {
    for file in "$place"/*.pid; do
        [ -s "$file" ] && kill "$(cat "$file")" 2>/dev/null || true
    done
    sleep 1
    rm -rf "$place"
}
trap stop EXIT INT TERM

# The key of munge is readable by munge alone.
chmod 755 "$place"
mkdir -p "$place/munge" "$place/state" "$place/spool"
dd if=/dev/urandom of="$place/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$place/munge/key"
chown -R munge: "$place/munge"
runuser -u munge -- munged --key-file="$place/munge/key" --socket="$place/munge/socket" \
    --pid-file="$place/munge/munged.pid" --log-file="$place/munge/log" --seed-file="$place/munge/seed"
ln -s "$place/munge/munged.pid" "$place/munged.pid"

cat >"$place/slurm.conf" <<CONF
ClusterName=kenga
SlurmctldHost=$(hostname -s)(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmUser=root
SlurmdUser=root
SlurmdParameters=config_overrides
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmctldPort=16817
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool/%n
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd-%n.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd-%n.log
NodeName=n[1-2] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[17001-17002] CPUs=2
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$place/slurm.conf"
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF" -N n1
slurmd -f "$SLURM_CONF" -N n2

# Waits for a job to leave the queue, at most two minutes.
wait_for() {
    for _ in $(seq 240); do
        [ -z "$(squeue -h -j "$1" 2>/dev/null)" ] && return 0
        sleep 0.5
    done
    echo "job $1 does not end:"; squeue; tail -5 "$place"/*.log; return 1
}

cd "$place"
for _ in $(seq 60); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && break
    sleep 0.5
done
"$kenga" sweep plan --config "$config" --runs 200 --pilot 0 -o plan.json
"$kenga" sweep run plan.json --out local --quiet

array=$("$kenga" sweep submit plan.json --to slurm --shards 4 --out results | sed -n 's/^job \([0-9]*\): 4 shards.*/\1/p')
[ -n "$array" ] || { echo "no job array was submitted"; exit 1; }
# One task is killed as soon as it writes; the merge that waits for it then never begins.
for _ in $(seq 200); do
    [ -s results/shards/shard-2-of-4/runs.csv ] && break
    sleep 0.05
done
scancel --signal=KILL "${array}_2" 2>/dev/null || true
wait_for "$array"
[ -e results/shards/shard-2-of-4/checksums.txt ] && { echo "task 2 ended before it was killed"; exit 1; }
echo "array $array ended; submitting what is missing"
again=$("$kenga" sweep submit plan.json --to slurm --out results)
echo "$again"
echo "$again" | grep -q ': 1 shard in results$' || { echo "not the one shard was submitted"; exit 1; }
grep -q -- '--shard 2/4$' results/shards.sbatch
merge=$(echo "$again" | sed -n 's/^job \([0-9]*\): merges.*/\1/p')
wait_for "$merge"
"$kenga" sweep submit plan.json --to slurm --out results | grep '^nothing to submit: 4 shards have ended, merged in '
for file in runs.csv convergence.csv manifest.json settings.jsonl puzzles.csv puzzles.jsonl checksums.txt; do
    cmp "local/$file" "results/merged/$file"
done
echo "ok: the merged bytes of 4 tasks, one of them killed, are those of a local run"
