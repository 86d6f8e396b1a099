//! A session that clients watch and drive.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use simhost::{ClockMode, Ended, Input, Options, Selection, Session, WhenPaused};
use simhost_live::{Client, Event, Monitor, Server, ServerSettings, ServiceDesk};

const WORLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");
/// Length of its steps, ns.
const STEP: u64 = 5_000_000;
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits for a sample that is taken after a number of steps.
fn odometry_after(client: &mut Client, steps: u64) -> u64 {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(Event::Sample { stamp, .. }) = client.next(Duration::from_millis(50)).unwrap()
            && stamp / STEP >= steps
        {
            return stamp / STEP;
        }
    }
    panic!("no sample after {steps} steps");
}

#[test]
fn a_session_that_a_client_drives_repeats_bit_for_bit() {
    let clock = ClockMode::Realtime { factor: 1.0 };
    let mut session = Session::open(WORLD, Options { clock, ..Options::default() }).unwrap();
    let log = Arc::<Mutex<Vec<(u64, Input)>>>::default();
    session.intake_mut().set_log(Box::new(log.clone()));
    session.control().set_when_paused(WhenPaused::Wait);
    let server = Server::bind(ServerSettings::new("127.0.0.1:0".parse().unwrap())).unwrap();
    let address = server.address();
    let sink = server.start(ServiceDesk::new(Arc::new(session.client_inputs().unwrap())));
    session.attach(Box::new(sink), &Selection::default()).unwrap();
    let run = std::thread::spawn(move || {
        let ended = session.run_steps(100_000).unwrap();
        assert_eq!(ended, Ended::Stopped);
        let result = (session.steps(), session.snapshot().unwrap().state_hash());
        session.finish().unwrap();
        result
    });

    let mut client = Client::connect(address, None).unwrap();
    client.subscribe("/robot/odometry").unwrap();
    odometry_after(&mut client, 1);
    let channel = client.advertise("/robot/cmd_vel", "geometry_msgs/msg/Twist").unwrap();
    let twist = json!({"linear": {"x": 0.8}, "angular": {"z": 0.1}});
    client.publish(channel, &twist).unwrap();
    client.call("/simhost/pause", &json!({})).unwrap();
    // a client that comes during the pause sees the state
    let mut late = Client::connect(address, None).unwrap();
    late.subscribe("/robot/odometry").unwrap();
    let paused_at = odometry_after(&mut late, 1);
    client.call("/simhost/step", &json!({"steps": 7})).unwrap();
    assert_eq!(odometry_after(&mut late, paused_at + 7), paused_at + 7);
    let mut monitor = Monitor::new(Client::connect(address, None).unwrap()).unwrap();
    assert!(monitor.watch(Duration::from_millis(200)).unwrap());
    let table = monitor.table(24);
    assert!(table.contains("paused") && table.contains("robot "), "{table}");
    client.call("/simhost/resume", &json!({})).unwrap();
    odometry_after(&mut client, paused_at + 20);
    client.call("/simhost/stop", &json!({})).unwrap();
    let (steps, hash) = run.join().unwrap();

    let log = log.lock().unwrap().clone();
    let kinds: Vec<bool> =
        log.iter().map(|(_, input)| matches!(input, Input::Command { .. })).collect();
    assert_eq!(kinds, [true, false, false, false, false], "{log:?}");
    let mut again = Session::open(WORLD, Options::default()).unwrap();
    for (step, input) in log.into_iter().filter(|(_, input)| matches!(input, Input::Command { .. }))
    {
        again.intake_mut().plan(step, input).unwrap();
    }
    again.run_steps(steps).unwrap();
    assert_eq!(again.snapshot().unwrap().state_hash(), hash);
}
