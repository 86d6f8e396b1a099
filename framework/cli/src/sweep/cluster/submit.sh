#!/bin/sh
# Simulates the chunks of a study as an array of Slurm. Written by simhost.
#SBATCH --job-name=simhost
#SBATCH --array=0-{last}
#SBATCH --output={output}
set -eu
folder={folder}
chunk=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" "$folder/chunks.txt")
exec {program} sweep chunk "$folder" "$chunk" -j "${SLURM_CPUS_PER_TASK:-1}" {options}
