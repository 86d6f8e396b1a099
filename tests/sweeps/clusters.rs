//! Studies on several workers: what an engine starts, what a folder carries, and what is left when workers, chunks or
//! whole clusters are lost.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{PLAN, ishigami, table, workspace};
use crate::support::projects::root;
use crate::support::waiting::wait_for;
use crate::support::{SIMHOST, Workspace, assert_parts};

/// A study whose chunks take a while.
const LONG: &str = "\
duration = 5
samples = 1500
[vary]
'r/friction/mu' = 'uniform:0.5:1'
[metrics]
x = 'final(r/pose[0])'
";

/// A program `sbatch` that runs the array of a script one after the other.
const SBATCH: &str = "\
#!/bin/sh
[ \"$1\" = --wait ] || exit 9
last=$(sed -n 's/^#SBATCH --array=0-//p' \"$2\")
for SLURM_ARRAY_TASK_ID in $(seq 0 \"$last\"); do
    export SLURM_ARRAY_TASK_ID
    sh \"$2\" || exit 1
done
";

/// Returns the path of programs with a folder of the workspace before it.
fn path_with(workspace: &Workspace, folder: &str) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = std::iter::once(workspace.path(folder));
    std::env::join_paths(first.chain(std::env::split_paths(&path))).unwrap()
}

#[test]
fn a_study_runs_as_an_array_of_slurm() {
    use std::os::unix::fs::PermissionsExt;

    let workspace = workspace(PLAN);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "a", "-q"]).code, 0);
    std::fs::create_dir(workspace.path("bin")).unwrap();
    let sbatch = workspace.write("bin/sbatch", SBATCH);
    std::fs::set_permissions(sbatch, PermissionsExt::from_mode(0o755)).unwrap();
    let words = ["sweep", "plan.toml", "--out", "it's b", "--on", "slurm", "--chunk-size", "5"];
    let mut command = workspace.command();
    let output = command.args(words).env("PATH", path_with(&workspace, "bin")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(table(&workspace, "it's b"), table(&workspace, "a"));
    let printed = workspace.run(&[&words[..], &["--print-script"]].concat());
    assert_parts(&printed.stdout, &["#SBATCH --array=0-2\n", "sweep chunk"]);
    // where the engine is missing, the script is there for another machine
    let without = workspace.run(&["sweep", "plan.toml", "--out", "c", "--on", "slurm"]);
    assert_eq!(without.code, 13);
    assert_parts(&without.stderr, &["cannot start sbatch", "--print-script"]);
    assert!(workspace.path("c/submit.sh").exists());
}

/// Returns the numbers of the processes whose command line has all words.
fn processes(words: &[&str]) -> Vec<libc::pid_t> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(id) = entry.file_name().to_string_lossy().parse() else { continue };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        if words.iter().all(|word| line.split('\0').any(|part| part.ends_with(word))) {
            found.push(id);
        }
    }
    found
}

/// A cluster of three workers with a killed chunk; and a cluster that is killed with everything
/// that it runs.
#[test]
#[ignore = "needs the Python package hyperqueue"]
fn a_study_survives_the_loss_of_chunks_and_of_a_cluster() {
    use std::os::unix::process::CommandExt;

    let workspace = workspace(LONG);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "whole", "-q"]).code, 0);
    let start = |existing: &str| {
        let words = ["sweep", "plan.toml", "--out", "it", "--on", "hyperqueue", "-j", "3"];
        let mut command = workspace.command();
        command.args(words).args(["--chunk-size", "100", existing]).process_group(0);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let folder = workspace.path("it").display().to_string();
    let chunk = || processes(&["sweep", "chunk", &folder]);
    let kill = |id: libc::pid_t| {
        // SAFETY: the number is that of a process of this test.
        unsafe { libc::kill(id, libc::SIGKILL) }
    };
    // one chunk
    let child = start("--new");
    wait_for("a chunk", || chunk().first().is_some_and(|id| kill(*id) == 0));
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(13), "{text}");
    assert_parts(&text, &["runs have no rows", "continue the study with --resume"]);
    // the cluster with all that it runs
    let mut child = start("--new");
    wait_for("a chunk", || !chunk().is_empty());
    kill(-libc::pid_t::try_from(child.id()).unwrap());
    child.wait().unwrap();
    chunk().into_iter().for_each(|id| _ = kill(id));
    let output = start("--resume").wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(table(&workspace, "it"), table(&workspace, "whole"));
}

/// Ends processes when a test ends, whatever its outcome.
struct Processes(Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns the rows of a folder, sorted.
fn rows(workspace: &Workspace, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(workspace.path(folder)).unwrap().map(|one| one.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let texts = files.map(|path| std::fs::read_to_string(path).unwrap());
    let mut lines: Vec<String> = texts.collect::<String>().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// The folder of a study is moved, and what it was made from is removed.
#[test]
fn a_folder_carries_what_its_chunks_need() {
    let varied = "[vary]\n'world/environment/it/x1' = 'range:0:3:7'\n";
    let workspace = ishigami("carried", "100", varied);
    std::fs::create_dir(workspace.path("parts")).unwrap();
    workspace
        .write("parts/one.xml", "<environment class=\"gravity\"><value>9</value></environment>");
    let world = std::fs::read_to_string(workspace.path("world.xml")).unwrap();
    let part = "<include file=\"parts/one.xml\"/></mvsim_world>";
    workspace.write("world.xml", &world.replace("</mvsim_world>", part));
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "a", "-q"]).code, 0);
    let words = ["sweep", "plan.toml", "--out", "b", "--on", "folder", "--chunk-size", "4"];
    let planned = workspace.run(&words);
    assert_eq!(planned.code, 0, "{}", planned.stderr);
    assert_parts(&planned.stdout, &["2 chunks of 4 runs in b/chunks.txt\n"]);
    let plan = std::fs::read_to_string(workspace.path("plan.toml")).unwrap();
    std::fs::create_dir(workspace.path("else")).unwrap();
    std::fs::rename(workspace.path("b"), workspace.path("else/where")).unwrap();
    std::fs::remove_file(workspace.path("world.xml")).unwrap();
    std::fs::remove_dir_all(workspace.path("parts")).unwrap();
    std::fs::remove_dir_all(plan.split('\'').nth(3).unwrap()).unwrap();
    for words in
        ["chunk else/where 0 --size 4", "chunk else/where 1 --size 4", "show else/where #3"]
    {
        let words: Vec<&str> = words.split(' ').collect();
        let outcome = workspace.run(&[&["sweep"], &words[..]].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    // the rows are those that were made where the files were
    assert_eq!(rows(&workspace, "else/where"), rows(&workspace, "a"));
}

/// A worker with another version, or another epoch of plugins, says both.
#[test]
fn a_worker_of_another_version_is_refused() {
    let workspace = workspace(PLAN);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "b", "--on", "folder"]).code, 0);
    let record = workspace.path("b/study.json");
    let text = std::fs::read_to_string(&record).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    for (own, other, part) in [
        ("\"simhost\": \"", "\"simhost\": \"9", format!("is of simhost 9{version} with")),
        (
            "\"abi_epoch\": ",
            "\"abi_epoch\": 7",
            format!("simhost {version} with plugins of epoch 7"),
        ),
        // a record of which nothing else is known
        ("\"seed\": ", "\"seeds\": ", "not the record of a study".to_owned()),
    ] {
        std::fs::write(&record, text.replace(own, other)).unwrap();
        let refused = workspace.run(&["sweep", "chunk", "b", "0"]);
        assert_ne!(refused.code, 0);
        assert_parts(&refused.stderr, &[&part]);
    }
    std::fs::write(
        &record,
        text.replace("\"simhost\": \"", "\"simhost\": \"9").replace("seed", "new"),
    )
    .unwrap();
    let refused = workspace.run(&["sweep", "chunk", "b", "0"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert_parts(&refused.stderr, &[&format!("this is simhost {version} with plugins of epoch")]);
}

/// Processes of a Dask cluster: scheduler and workers, each in a separate folder.
struct DaskCluster {
    processes: Processes,
    scheduler: String,
}

impl DaskCluster {
    /// Starts a scheduler, which listens at a host, and three workers, whose commands begin with `before`.
    fn start(workspace: &Workspace, host: &str, before: &[Vec<String>]) -> Self {
        let file = workspace.path("scheduler.json");
        let path = format!(
            "{}:{}",
            Path::new(SIMHOST).parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        let start = |before: &[String], words: &[&str]| {
            let words =
                before.iter().map(String::as_str).chain(["dask"]).chain(words.iter().copied());
            let words: Vec<&str> = words.collect();
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).arg("--scheduler-file").arg(&file).env("PATH", &path);
            // a worker that is silent is lost
            command.env("DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "10s");
            command.env("DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP", "15s");
            command.current_dir(workspace.path(".")).stderr(Stdio::null()).spawn().unwrap()
        };
        let scheduler = start(&[], &["scheduler", "--host", host, "--port", "0", "--no-dashboard"]);
        let mut processes = Processes(vec![scheduler]);
        wait_for("the scheduler", || file.exists());
        for before in before {
            let words = ["worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"];
            processes.0.push(start(before, &words));
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let scheduler: serde_json::Value = serde_json::from_str(&text).unwrap();
        Self { processes, scheduler: scheduler["address"].as_str().unwrap().to_owned() }
    }

    /// Simulates a study with the example, loses a worker by `lose` while chunks run, and completes the table.
    fn simulate(&mut self, workspace: &Workspace, lose: impl FnOnce(&mut Processes)) {
        let words = ["sweep", "plan.toml", "--out", "it", "--on", "folder", "--chunk-size", "100"];
        assert_eq!(workspace.run(&words).code, 0);
        let example = root().join("docs/examples/study_dask.py");
        let mut command = Command::new("python3");
        command.arg(example).args([&self.scheduler, "it", "--size", "100"]);
        let mut client = command.current_dir(workspace.path(".")).spawn().unwrap();
        wait_for("a chunk", || !processes(&["sweep", "chunk", "it"]).is_empty());
        lose(&mut self.processes);
        assert!(client.wait().unwrap().success());
        wait_for("the last chunk", || processes(&["sweep", "chunk", "it"]).is_empty());
        let words = ["sweep", "plan.toml", "--out", "it", "--resume"];
        let outcome = workspace.run(&words);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(table(workspace, "it"), table(workspace, "whole"));
    }
}

/// A worker of a Dask cluster is killed while its chunk runs: the table has every row once.
#[test]
#[ignore = "needs the Python package distributed"]
fn dask_survives_the_loss_of_a_worker() {
    let workspace = workspace(LONG);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "whole", "-q"]).code, 0);
    let mut cluster = DaskCluster::start(&workspace, "127.0.0.1", &[vec![], vec![], vec![]]);
    cluster.simulate(&workspace, |processes| processes.0[1].kill().unwrap());
}

/// Three network namespaces, each with an address of its own on one bridge.
struct Namespaces(String);

impl Namespaces {
    const HOST: &str = "10.213.77.1";

    /// Makes them, if that is permitted.
    fn new() -> Result<Self, String> {
        let name = format!("sh{}", std::process::id() % 100_000);
        let made = Self(name.clone());
        let run = |line: String| {
            let output = Command::new("ip").args(line.split(' ')).output();
            let output = output.map_err(|error| error.to_string())?;
            match output.status.success() {
                true => Ok(()),
                false => Err(format!("ip {line}: {}", String::from_utf8_lossy(&output.stderr))),
            }
        };
        run(format!("link add {name} type bridge"))?;
        run(format!("addr add {}/24 dev {name}", Self::HOST))?;
        run(format!("link set {name} up"))?;
        for number in 0..3 {
            let (space, end) = (format!("{name}-{number}"), format!("{name}v{number}"));
            run(format!("netns add {space}"))?;
            run(format!("link add {end} type veth peer name eth0 netns {space}"))?;
            run(format!("link set {end} master {name} up"))?;
            run(format!("netns exec {space} ip addr add 10.213.77.{}/24 dev eth0", number + 2))?;
            run(format!("netns exec {space} ip link set eth0 up"))?;
            run(format!("netns exec {space} ip link set lo up"))?;
        }
        Ok(made)
    }

    /// Returns the words that start a program in each of them.
    fn words(&self) -> Vec<Vec<String>> {
        let words = |number| {
            vec!["ip".to_owned(), "netns".into(), "exec".into(), format!("{}-{number}", self.0)]
        };
        (0..3).map(words).collect()
    }

    /// Cuts the first one off.
    fn cut_off(&self) {
        let end = format!("{}v0", self.0);
        let done = Command::new("ip").args(["link", "set", &end, "down"]).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        let spaces = (0..3).map(|number| format!("netns del {}-{number}", self.0));
        for line in spaces.chain([format!("link del {}", self.0)]) {
            let _ = Command::new("ip").args(line.split(' ')).output();
        }
    }
}

/// A worker of a Dask cluster is cut off from the network while its chunk runs.
#[test]
#[ignore = "needs the Python package distributed"]
#[allow(clippy::print_stderr)]
fn dask_survives_a_worker_that_is_cut_off() {
    let spaces = match Namespaces::new() {
        Ok(spaces) => spaces,
        Err(reason) => return eprintln!("skipped: no network namespaces here: {reason}"),
    };
    let workspace = workspace(LONG);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "whole", "-q"]).code, 0);
    let mut cluster = DaskCluster::start(&workspace, Namespaces::HOST, &spaces.words());
    cluster.simulate(&workspace, |_| spaces.cut_off());
}

/// The disk of one chunk is full: its rows end where it is, and nothing that was finished is lost.
#[test]
fn a_full_disk_costs_the_rows_that_do_not_fit() {
    let workspace = workspace(LONG);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "whole", "-q"]).code, 0);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "it", "--on", "folder"]).code, 0);
    assert_eq!(workspace.run(&["sweep", "chunk", "it", "1"]).code, 0);
    // files of up to 64 blocks of 1 KiB, in the words of bash
    let script = "ulimit -f 64; trap '' XFSZ; exec \"$0\" sweep chunk it 0";
    let mut command = Command::new("bash");
    command.args(["-c", script, SIMHOST]).current_dir(workspace.path("."));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(13), "{text}");
    assert_parts(&text, &["cannot write it/rows-", "File too large"]);
    let kept = workspace.run(&["sweep", "plan.toml", "--out", "it", "--on", "folder", "--resume"]);
    assert_parts(&kept.stdout, &["1 chunks of 1000 runs"]);
    let resumed = workspace.run(&["sweep", "plan.toml", "--out", "it", "--resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let simulated = resumed.stdout.split("simulated ").nth(1).unwrap();
    let simulated: u64 = simulated.split(' ').next().unwrap().parse().unwrap();
    assert!((1..1000).contains(&simulated), "{}", resumed.stdout);
    assert_eq!(table(&workspace, "it"), table(&workspace, "whole"));
}
