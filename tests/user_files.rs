//! Files that the command line names, and files of earlier runs: pipes, devices, huge files and links are refused at once.

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::Workspace;

const WORLD: &str = "<mvsim_world><vehicle name=\"r\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
                     <controller class=\"twist_pid\"/></dynamics></vehicle></mvsim_world>";

/// Time after which a command counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// Command lines with `FILE` where they name a file.
const READERS: &[&[&str]] = &[
    &["run", "world.xml", "--commands", "FILE", "--duration", "0.1"],
    &["run", "world.xml", "--resume", "FILE", "--duration", "0.1"],
    &["test", "FILE"],
    &["sweep", "FILE", "--out", "study"],
    &["plugin", "replay", "FILE"],
    &["plugin", "check", "FILE"],
    &["recover", "FILE"],
    &["check", "FILE"],
];

/// Runs a command, and returns its code and standard error.
fn told(workspace: &Workspace, words: &[&str], file: &str) -> (Option<i32>, String) {
    let words = words.iter().map(|word| if *word == "FILE" { file } else { word });
    let mut child = workspace
        .command()
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(workspace.path("said.txt")).unwrap())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status.code(),
            None if began.elapsed() > PATIENCE => {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    (status, std::fs::read_to_string(workspace.path("said.txt")).unwrap())
}

#[test]
fn only_regular_files_of_a_limited_size_are_read() {
    let workspace = Workspace::new(WORLD);
    let pipe = workspace.path("pipe.toml");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink("/dev/zero", workspace.path("zero.toml")).unwrap();
    // a terabyte that takes no space
    std::fs::File::create(workspace.path("huge.toml")).unwrap().set_len(1 << 40).unwrap();
    for words in READERS {
        for file in ["pipe.toml", "/dev/zero", "zero.toml", "huge.toml"] {
            let (code, text) = told(&workspace, words, file);
            assert!(matches!(code, Some(2 | 12 | 13)), "{words:?} {file}: {code:?} {text}");
            assert!(text.contains(file) && text.contains("error:"), "{words:?} {file}: {text}");
        }
    }
}

/// Files of a run, and folders of such files, that a stranger can have replaced by links.
const REPLACED: &[&str] = &[
    "inputs.jsonl",
    "trajectory.csv",
    "wheels.csv",
    "manifest.json",
    ".manifest.json.new",
    "world.flat.xml",
    "run.mcap",
    "simhost.log",
    "r.scan",
];

#[test]
fn links_in_the_folder_of_a_run_are_not_followed() {
    let laser =
        "<sensor class=\"lidar3d\" name=\"scan\"><vert_nrays>2</vert_nrays></sensor></vehicle>";
    let workspace = Workspace::new(&WORLD.replace("</vehicle>", laser));
    for name in REPLACED {
        let folder = workspace.path("out");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        std::fs::create_dir(workspace.path("elsewhere")).unwrap();
        let is_folder = *name == "r.scan";
        let target = if is_folder { "elsewhere" } else { "elsewhere/kept.txt" };
        if !is_folder {
            workspace.write(target, "kept");
        }
        symlink(workspace.path(target), folder.join(name)).unwrap();
        let words = "world.xml --out out --force --duration 0.2 --mcap --log info";
        let outcome = workspace.run(&words.split(' ').collect::<Vec<_>>());
        let files: Vec<_> = std::fs::read_dir(workspace.path("elsewhere")).unwrap().collect();
        assert_eq!(files.len(), usize::from(!is_folder), "{name}: {files:?}");
        if !is_folder {
            let kept = std::fs::read_to_string(workspace.path(target)).unwrap();
            assert_eq!(kept, "kept", "{name}: {}", outcome.stderr);
        }
        let is_told = outcome.code == 13 && outcome.stderr.contains("symbolic link");
        // what is replaced as a whole can also replace the link
        let is_replaced = outcome.code == 0 && !folder.join(name).is_symlink();
        assert!(is_told || is_replaced, "{name}: {} {}", outcome.code, outcome.stderr);
        std::fs::remove_dir_all(workspace.path("elsewhere")).unwrap();
    }
}
