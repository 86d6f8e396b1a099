//! Live clients of the program.

use std::process::Command;

fn simhost() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simhost"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command.env_remove("SIMHOST_LIVE_TOKEN");
    command
}

/// Runs a command that fails, and returns its exit code and its message.
fn failure(arguments: &[&str]) -> (i32, String) {
    let output = simhost().args(arguments).output().unwrap();
    assert!(!output.status.success(), "{arguments:?} succeeded");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(not(feature = "live"))]
#[test]
fn a_program_without_live_clients_says_how_to_get_them() {
    for arguments in [&["worlds/demo.world.xml", "--live"][..], &["top"], &["play", "worlds"]] {
        let (code, message) = failure(arguments);
        assert_eq!(code, 2);
        assert!(message.contains("--features live"), "{message}");
    }
}

#[cfg(feature = "live")]
mod with_feature {
    use std::io::{BufRead, BufReader};
    use std::net::{SocketAddr, TcpListener};
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    use serde_json::json;
    use simhost_live::{Client, Event};

    use super::{failure, simhost};

    const WORLD: &str = "worlds/demo.world.xml";

    /// A program that serves, with its address.
    struct Serving {
        child: Child,
        address: SocketAddr,
    }

    impl Serving {
        fn start(arguments: &[&str]) -> Self {
            let mut child = simhost()
                .args(arguments)
                .stderr(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            let lines = BufReader::new(child.stderr.take().unwrap()).lines();
            let address = lines
                .map_while(Result::ok)
                .find_map(|line| {
                    line.strip_prefix("serving live clients on ws://").map(str::to_owned)
                })
                .expect("the program serves");
            Self { child, address: address.parse().unwrap() }
        }

        fn wait(mut self) -> i32 {
            self.child.wait().unwrap().code().unwrap()
        }
    }

    impl Drop for Serving {
        fn drop(&mut self) {
            // fails if it has ended
            let _ = self.child.kill();
        }
    }

    /// Receives samples until one has a stamp of at least `seconds`.
    fn sample_at(client: &mut Client, seconds: f64) -> f64 {
        let deadline = Instant::now() + Duration::from_secs(20);
        while Instant::now() < deadline {
            if let Some(Event::Sample { stamp, .. }) =
                client.next(Duration::from_millis(50)).unwrap()
                && stamp as f64 / 1e9 >= seconds
            {
                return stamp as f64 / 1e9;
            }
        }
        panic!("no sample at {seconds} s");
    }

    #[test]
    fn a_run_that_somebody_drives_repeats_and_plays() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run");
        let out = out.to_str().unwrap();
        let run = Serving::start(&[WORLD, "--live", "127.0.0.1:0", "--out", out]);
        let mut client = Client::connect(run.address, None).unwrap();
        client.subscribe("/robot/odometry").unwrap();
        let channel = client.advertise("/robot/cmd_vel", "geometry_msgs/msg/Twist").unwrap();
        client.publish(channel, &json!({"linear": {"x": 0.7}, "angular": {"z": 0.1}})).unwrap();
        client
            .send(&json!({"op": "setParameters", "parameters": [
                {"name": "robot/controller/KP", "value": 55.5},
            ]}))
            .unwrap();
        let now = sample_at(&mut client, 0.0);
        sample_at(&mut client, now + 0.3);
        let top = simhost().args(["top", &run.address.to_string()]).output().unwrap();
        let table = String::from_utf8(top.stdout).unwrap();
        assert!(table.starts_with("demo  ") && table.contains("\nrobot  "), "{table}");
        client.call("/simhost/stop", &json!({})).unwrap();
        assert_eq!(run.wait(), 0);

        let inputs = std::fs::read_to_string(format!("{out}/inputs.jsonl")).unwrap();
        assert!(inputs.contains("robot/controller/KP") && inputs.contains("55.5"), "{inputs}");
        let again = simhost().args(["rerun", out]).output().unwrap();
        let text = String::from_utf8_lossy(&again.stdout).into_owned();
        assert!(again.status.success(), "{text}{}", String::from_utf8_lossy(&again.stderr));
        assert!(text.contains("agrees"), "{text}");

        let play = Serving::start(&["play", out, "--live", "127.0.0.1:0", "--rate", "4", "--step"]);
        let mut client = Client::connect(play.address, None).unwrap();
        assert!(client.topics().any(|topic| topic == "/scene"), "the scene of the world");
        client.subscribe("/robot/ground_truth").unwrap();
        client.call("/simhost/step", &json!({"steps": 3})).unwrap();
        let third = sample_at(&mut client, 0.01);
        assert!((third - 0.01).abs() < 1e-9, "the third row is at {third} s");
        client.call("/simhost/resume", &json!({})).unwrap();
        sample_at(&mut client, 0.2);
        drop(client);
        assert_eq!(play.wait(), 0, "ends when the last client has left");
    }

    #[test]
    fn addresses_that_cannot_be_used_are_errors_before_the_run() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap().to_string();
        // the world does not exist: the address is looked at first
        let (code, message) = failure(&["run", "missing.world.xml", "--live", &address]);
        assert_eq!(code, 2);
        assert!(message.contains("another program uses this address"), "{message}");
        let (code, message) = failure(&[WORLD, "--live", "0.0.0.0:0"]);
        assert_eq!(code, 2);
        assert!(
            message.contains("without a token") && message.contains("--live-token"),
            "{message}"
        );
        let (code, message) = failure(&["run", "--live", WORLD]);
        assert_eq!(code, 2, "{message}");
        let (code, message) = failure(&["top", &address]);
        assert_eq!(code, 12);
        assert!(message.contains("refuses") || message.contains("cannot connect"), "{message}");
        let (code, message) = failure(&["play", "worlds"]);
        assert_eq!(code, 12, "{message}");
    }
}
