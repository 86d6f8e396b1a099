//! A server with clients, and a session that is played by the tests.

#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use simhost_live::{
    Client, ClientError, Event, LiveError, LiveSink, Server, ServerSettings, ServiceDesk,
};
use simhost_streams::{
    Bulk, Control, Direction, Effect, Input, InputError, Parameter, Progress, Sample, Sink, Stamp,
    Stream, types,
};

const PATIENCE: Duration = Duration::from_secs(10);

/// Plays the session: keeps what it receives.
#[derive(Default)]
struct Session {
    inputs: Mutex<Vec<Input>>,
    progress: Mutex<Progress>,
    gain: Mutex<String>,
}

impl Control for Session {
    fn send(&self, input: Input) -> Result<(), InputError> {
        match &input {
            Input::Pause => self.progress.lock().unwrap().is_paused = true,
            Input::Resume => self.progress.lock().unwrap().is_paused = false,
            Input::Parameter { name, .. } if name != "robot/controller/KP" => {
                let (what, help) = ("parameter", "did you mean 'robot/controller/KP'?".to_owned());
                return Err(InputError::Unknown { what, found: name.clone(), help });
            }
            Input::Parameter { value, .. } => value.clone_into(&mut self.gain.lock().unwrap()),
            _ => {}
        }
        self.inputs.lock().unwrap().push(input);
        Ok(())
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        let mut stream = Stream::new("robot/cmd_vel", Arc::new(types::Twist::TYPE));
        stream.direction = Direction::Input;
        stream.effect =
            Some(Effect::Command { vehicle: "robot".to_owned(), kind: "twist".to_owned() });
        vec![Arc::new(stream)]
    }

    fn parameters(&self) -> Vec<Parameter> {
        let value = self.gain.lock().unwrap().clone();
        vec![Parameter { name: "robot/controller/KP".to_owned(), value }]
    }

    fn progress(&self) -> Progress {
        *self.progress.lock().unwrap()
    }
}

impl Session {
    fn wait_for(&self, expected: &[Input]) {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline && self.inputs.lock().unwrap().len() < expected.len() {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(*self.inputs.lock().unwrap(), expected);
    }
}

fn settings() -> ServerSettings {
    ServerSettings::new("127.0.0.1:0".parse().unwrap())
}

fn serve(settings: ServerSettings) -> (SocketAddr, Arc<Session>, LiveSink) {
    let server = Server::bind(settings).unwrap();
    let address = server.address();
    let session = Arc::new(Session { gain: Mutex::new("2".to_owned()), ..Session::default() });
    let mut sink = server.start(ServiceDesk::new(session.clone()));
    sink.begin(&streams()).unwrap();
    (address, session, sink)
}

fn streams() -> Vec<Arc<Stream>> {
    let mut odometry = Stream::new("robot/odometry", Arc::new(types::Odometry::TYPE));
    odometry.frame = "robot/odom".to_owned();
    odometry.child_frame = "robot/base_link".to_owned();
    vec![Arc::new(Stream::new("clock", Arc::new(types::Clock::TYPE))), Arc::new(odometry)]
}

/// Takes a step of 1 ms.
fn step(sink: &mut LiveSink, number: u64) {
    let stamp = Stamp(number * 1_000_000);
    let odometry = [number as f64, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.5];
    for (stream, numbers) in [(0, &[][..]), (1, &odometry)] {
        if sink.wants(stream) {
            sink.take(stream, &Sample::new(stamp, numbers)).unwrap();
        }
    }
    sink.end_of_step(stamp).unwrap();
}

/// Steps until the client has received the first event that `pick` accepts.
fn until<T>(
    client: &mut Client,
    mut between: impl FnMut(),
    mut pick: impl FnMut(Event) -> Option<T>,
) -> T {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        between();
        let event = client.next(Duration::from_millis(2)).unwrap();
        if let Some(found) = event.and_then(&mut pick) {
            return found;
        }
    }
    panic!("nothing arrived in time");
}

fn text_of(client: &mut Client, operation: &str) -> Value {
    until(
        client,
        || {},
        |event| match event {
            Event::Text(value) if value["op"] == operation => Some(value),
            _ => None,
        },
    )
}

/// A run that was slower than its clock was not reported.
#[test]
fn clients_are_told_once_that_a_session_is_slow() {
    let (address, session, mut sink) = serve(settings());
    let mut early = Client::connect(address, None).unwrap();
    step(&mut sink, 1);
    session.progress.lock().unwrap().lost = Duration::from_millis(1200);
    step(&mut sink, 2);
    let mut late = Client::connect(address, None).unwrap();
    for client in [&mut early, &mut late] {
        let status = text_of(client, "status");
        let text = status["message"].as_str().unwrap();
        assert!(text.contains("slower than its clock") && status["level"] == 1, "{status}");
    }
    // a later message is the next one that the client receives
    step(&mut sink, 3);
    let channel = early.advertise("/robot/cmd_vel", "geometry_msgs/msg/Twist").unwrap();
    early.publish(channel, &json!({"linear": {"x": "fast"}})).unwrap();
    let status = text_of(&mut early, "status");
    assert!(status["message"].as_str().unwrap().contains("linear.x"), "{status}");
}

#[test]
fn a_client_reads_samples_and_drives() {
    let (address, session, mut sink) = serve(settings());
    let mut client = Client::connect(address, None).unwrap();
    assert_eq!(client.topics().collect::<Vec<_>>(), ["/clock", "/robot/odometry"]);
    step(&mut sink, 1);
    assert!(!sink.wants(1), "nobody has subscribed");
    let subscription = client.subscribe("/robot/odometry").unwrap();
    let mut steps = 1;
    let take_step = || {
        steps += 1;
        step(&mut sink, steps);
    };
    let (stamp, payload) = until(&mut client, take_step, |event| match event {
        Event::Sample { subscription: found, stamp, payload } if found == subscription => {
            Some((stamp, payload))
        }
        _ => None,
    });
    let schema = simhost_streams::ros::schema(&types::Odometry::TYPE);
    let layout = simhost_streams::ros::Layout::new(&schema).unwrap();
    let message = layout.decode(&payload).unwrap();
    assert_eq!(message["pose"]["pose"]["position"]["x"], json!((stamp / 1_000_000) as f64));
    assert_eq!(message["header"]["frame_id"], "robot/odom");

    let channel = client.advertise("/robot/cmd_vel", "geometry_msgs/msg/Twist").unwrap();
    let twist = json!({"linear": {"x": 0.5}, "angular": {"z": -0.25}});
    client.publish(channel, &twist).unwrap();
    client.publish(channel, &json!({"linear": {"x": "fast"}})).unwrap();
    let status = text_of(&mut client, "status");
    let text = status["message"].as_str().unwrap();
    assert!(text.starts_with("/robot/cmd_vel: ") && text.contains("linear.x"), "{text}");
    let values = vec![0.5, 0.0, -0.25];
    let (vehicle, kind) = ("robot".to_owned(), "twist".to_owned());
    session.wait_for(&[Input::Command { vehicle, kind, values }]);
}

#[test]
fn during_a_pause_each_step_is_sent_and_a_new_client_sees_the_last_one() {
    let (address, session, mut sink) = serve(settings());
    let mut client = Client::connect(address, None).unwrap();
    client.subscribe("/robot/odometry").unwrap();
    client.call("/simhost/pause", &json!({})).unwrap();
    session.wait_for(&[Input::Pause]);
    let deadline = Instant::now() + PATIENCE;
    while !sink.wants(1) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
        sink.end_of_step(Stamp(0)).unwrap();
    }
    let stamps = |client: &mut Client, count: usize| {
        let mut stamps = Vec::new();
        while stamps.len() < count {
            stamps.push(until(
                client,
                || {},
                |event| match event {
                    Event::Sample { stamp, .. } => Some(stamp / 1_000_000),
                    _ => None,
                },
            ));
        }
        stamps
    };
    for number in 1..=5 {
        step(&mut sink, number);
    }
    assert_eq!(stamps(&mut client, 5), [1, 2, 3, 4, 5]);
    let mut late = Client::connect(address, None).unwrap();
    late.subscribe("/robot/odometry").unwrap();
    assert_eq!(stamps(&mut late, 1), [5]);
}

#[test]
fn services_become_inputs() {
    let (address, session, _sink) = serve(settings());
    let mut client = Client::connect(address, None).unwrap();
    let mut ask = |service: &str, request: Value| {
        let call = client.call(service, &request).unwrap();
        until(
            &mut client,
            || {},
            |event| match event {
                Event::Response { call: found, value } if found == call => Some(value),
                Event::Text(value) if value["op"] == "serviceCallFailure" => Some(value),
                _ => None,
            },
        )
    };
    for (service, request) in [
        ("/simhost/pause", json!({})),
        ("/simhost/step", json!({"steps": 3})),
        ("/simhost/step", json!({})),
        ("/simhost/resume", json!({})),
        ("/simhost/reset", json!({"seed": 7})),
        ("/simhost/pace", json!({"factor": 0.5})),
        (
            "/simhost/add_fault",
            json!({"vehicle": "robot", "sensor": "brake", "severity": "damaged", "code": 12}),
        ),
        ("/simhost/clear_faults", json!({"vehicle": "robot"})),
        ("/simhost/stop", json!({})),
    ] {
        assert_eq!(ask(service, request)["success"], true, "{service}");
    }
    session.wait_for(&[
        Input::Pause,
        Input::Step { steps: 3 },
        Input::Step { steps: 1 },
        Input::Resume,
        Input::Reset { seed: 7 },
        Input::Pace { factor: 0.5 },
        Input::AddFault {
            vehicle: "robot".to_owned(),
            sensor: "brake".to_owned(),
            severity: "damaged".to_owned(),
            code: 12,
            text: String::new(),
        },
        Input::ClearFaults { vehicle: "robot".to_owned() },
        Input::Stop,
    ]);
    for (service, request, reason) in [
        ("/simhost/pace", json!({"factor": 0}), "factor is 0; expected a number greater than 0"),
        ("/simhost/pace", json!({}), "missing field 'factor'"),
        ("/simhost/step", json!({"step": 1}), "unknown field 'step'"),
        ("/simhost/step", json!({"steps": -1}), "steps is -1; expected u64"),
        ("/simhost/clear_faults", json!({}), "missing field 'vehicle'"),
        ("/simhost/add_fault", json!({"vehicle": "robot"}), "missing field 'sensor'"),
    ] {
        let answer = ask(service, request);
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn parameters_are_read_set_and_watched() {
    let (address, session, _sink) = serve(settings());
    let mut client = Client::connect(address, None).unwrap();
    let mut watcher = Client::connect(address, None).unwrap();
    client.send(&json!({"op": "getParameters", "parameterNames": [], "id": "a"})).unwrap();
    let values = text_of(&mut client, "parameterValues");
    assert_eq!(values["id"], "a");
    let expected = json!([
        {"name": "simhost/paused", "value": false},
        {"name": "robot/controller/KP", "value": 2.0, "type": "float64"},
    ]);
    assert_eq!(values["parameters"], expected);

    let watch = json!({"op": "subscribeParameterUpdates", "parameterNames": []});
    watcher.send(&watch).unwrap();
    text_of(&mut watcher, "parameterValues");
    let set = json!([
        {"name": "robot/controller/KP", "value": 3},
        {"name": "robot/controller/KQ", "value": 3},
        {"name": "simhost/paused", "value": true},
    ]);
    client.send(&json!({"op": "setParameters", "parameters": set, "id": "b"})).unwrap();
    let status = text_of(&mut client, "status");
    assert!(status["message"].as_str().unwrap().contains("did you mean"), "{status}");
    let values = text_of(&mut client, "parameterValues");
    assert_eq!(values["parameters"].as_array().unwrap().len(), 2, "{values}");
    let (name, value) = ("robot/controller/KP".to_owned(), "3".to_owned());
    session.wait_for(&[Input::Parameter { name, value }, Input::Pause]);
    let mut changed = Vec::new();
    while changed.len() < 2 {
        let values = text_of(&mut watcher, "parameterValues");
        changed.extend(values["parameters"].as_array().unwrap().clone());
    }
    assert_eq!(changed.iter().find(|one| one["name"] == "simhost/paused").unwrap()["value"], true);
}

#[test]
fn channels_change_and_time_goes_back() {
    let (address, session, mut sink) = serve(settings());
    session.progress.lock().unwrap().is_paused = true;
    let mut client = Client::connect(address, None).unwrap();
    client.subscribe("/robot/odometry").unwrap();
    client.send(&json!({"op": "subscribeConnectionGraph"})).unwrap();
    let graph = text_of(&mut client, "connectionGraphUpdate");
    assert_eq!(graph["subscribedTopics"][0]["name"], "/robot/cmd_vel");
    step(&mut sink, 5);
    let next = |client: &mut Client| {
        until(
            client,
            || {},
            |event| match event {
                Event::Sample { stamp, .. } => Some(stamp / 1_000_000),
                _ => None,
            },
        )
    };
    assert_eq!(next(&mut client), 5);
    // the clock goes, a vehicle comes, and time begins anew
    let mut streams = streams();
    streams.remove(0);
    streams.push(Arc::new(Stream::new("car/odometry", Arc::new(types::Odometry::TYPE))));
    sink.begin(&streams).unwrap();
    sink.take(0, &Sample::new(Stamp(1_000_000), &[0.0; 9])).unwrap();
    assert_eq!(next(&mut client), 1);
    assert_eq!(client.topics().collect::<Vec<_>>(), ["/car/odometry", "/robot/odometry"]);
    sink.finish().unwrap();
    let reason = until(
        &mut client,
        || {},
        |event| match event {
            Event::Closed(reason) => Some(reason),
            _ => None,
        },
    );
    assert_eq!(reason, "the run has ended");
}

/// Connects a client that the test drives byte by byte.
fn raw(address: SocketAddr, headers: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let request = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = Vec::new();
    let mut byte = [0];
    while !response.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
        response.push(byte[0]);
    }
    (stream, String::from_utf8_lossy(&response).into_owned())
}

const V1: &str = "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n";

/// Reads until the server ends the connection.
fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    // a reset is an end, too
    let _ = stream.read_to_end(&mut rest);
    rest
}

#[test]
fn garbage_and_huge_messages_end_the_connection_of_their_sender_only() {
    let (address, _session, mut sink) = serve(settings());
    let mut good = Client::connect(address, None).unwrap();
    good.subscribe("/clock").unwrap();

    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"\x16\x03\x01 this is not HTTP\r\n\r\n").unwrap();
    assert!(rest(&mut stream).starts_with(b"HTTP/1.1 400"));
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let page = String::from_utf8(rest(&mut stream)).unwrap();
    assert!(page.contains("Foxglove WebSocket protocol"), "{page}");

    // final text frame with mask 0: neither JSON nor UTF-8
    for garbage in [&b"\x81\x83\0\0\0\0abc"[..], b"\x81\x82\0\0\0\0[]", b"\x81\x81\0\0\0\0\xff"] {
        let (mut stream, response) = raw(address, V1);
        assert!(response.contains("101 Switching"), "{response}");
        stream.write_all(garbage).unwrap();
        let end = rest(&mut stream);
        assert!(end.windows(2).any(|pair| pair == [0x03, 0xf0]), "closed with code 1008");
    }
    // binary frame of an unknown operation, and an unmasked frame
    for garbage in [&b"\x82\x81\0\0\0\0\x09"[..], b"\x81\x02{}"] {
        let (mut stream, _) = raw(address, V1);
        stream.write_all(garbage).unwrap();
        rest(&mut stream);
    }
    // 100 MB: refused by its header
    let (mut stream, _) = raw(address, V1);
    stream.write_all(b"\x82\xff\0\0\0\0\x05\xf5\xe1\0\0\0\0\0").unwrap();
    let piece = vec![0; 1 << 20];
    for _ in 0..100 {
        if stream.write_all(&piece).is_err() {
            break;
        }
    }
    rest(&mut stream);

    let mut steps = 0;
    let take_step = || {
        steps += 1;
        step(&mut sink, steps);
    };
    until(&mut good, take_step, |event| matches!(event, Event::Sample { .. }).then_some(()));
}

#[test]
fn a_slow_client_slows_nobody_and_learns_of_its_loss() {
    let mut settings = settings();
    settings.max_backlog = 1 << 20;
    let (address, session, mut sink) = serve(settings);
    session.progress.lock().unwrap().is_paused = true;
    let kind = Arc::new(types::LaserScan::TYPE);
    let scan = Stream::new("robot/scan", kind);
    sink.begin(&[Arc::new(scan)]).unwrap();
    let mut slow = Client::connect(address, None).unwrap();
    slow.subscribe("/robot/scan").unwrap();
    let mut fast = Client::connect(address, None).unwrap();
    let subscription = fast.subscribe("/robot/scan").unwrap();
    let totals = sink.watch_totals();
    let payload = vec![1.0; 100_000];
    let mut received = 0;
    // 200 steps of at least 400 kB: much more than the buffers of the system hold
    for number in 1..=200 {
        let bulk = Bulk::Numbers(&payload);
        sink.take(0, &Sample { bulk, ..Sample::new(Stamp(number), &[]) }).unwrap();
        sink.end_of_step(Stamp(number)).unwrap();
        while let Some(event) = fast.next(Duration::from_millis(1)).unwrap() {
            received += usize::from(
                matches!(event, Event::Sample { subscription: found, .. } if found == subscription),
            );
        }
    }
    // a sink that waits for the slow client does not get here
    assert!(received > 100, "the fast client received {received} of 200");
    let found = totals();
    assert!(found.dropped_samples > 50 && found.dropped_bytes > 10_000_000, "{found:?}");
    let status = text_of(&mut slow, "status");
    let text = status["message"].as_str().unwrap();
    assert!(text.contains("were dropped because this client reads too slowly"), "{text}");
}

/// Returns when samples arrived and how late they were, in s, while a session publishes 3.8 MB/s. The client reads as
/// many bytes every 10 ms as the function says.
fn delays(reads: &dyn Fn(Duration) -> usize, most: Duration) -> Vec<(Duration, f64)> {
    const PAYLOAD: usize = 16_000;
    let (address, _session, mut sink) = serve(settings());
    sink.begin(&[Arc::new(Stream::new("robot/scan", Arc::new(types::LaserScan::TYPE)))]).unwrap();
    let (mut stream, _) = raw(address, V1);
    rustix::net::sockopt::set_socket_recv_buffer_size(&stream, 32 << 10).unwrap();
    let request = r#"{"op":"subscribe","subscriptions":[{"id":7,"channelId":2}]}"#;
    let head = [0x81, 0x80 | request.len() as u8, 0, 0, 0, 0];
    stream.write_all(&[&head, request.as_bytes()].concat()).unwrap();
    let start = Instant::now();
    let publish = std::thread::spawn(move || {
        let ranges = vec![1.0; PAYLOAD];
        while start.elapsed() < most {
            let stamp = Stamp(start.elapsed().as_nanos() as u64);
            if sink.wants(0) {
                let bulk = Bulk::Numbers(&ranges);
                sink.take(0, &Sample { bulk, ..Sample::new(stamp, &[]) }).unwrap();
            }
            sink.end_of_step(stamp).unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let (mut read, mut found, mut at) = (Vec::new(), Vec::new(), 0);
    while start.elapsed() < most {
        std::thread::sleep(Duration::from_millis(10));
        let mut piece = vec![0; reads(start.elapsed())];
        let count = if piece.is_empty() { 0 } else { stream.read(&mut piece).unwrap() };
        read.extend_from_slice(&piece[..count]);
        while let Some((opcode, payload, end)) = frame(&read[at..]) {
            if opcode == 2 && payload[0] == 1 {
                let stamp = u64::from_le_bytes(payload[5..13].try_into().unwrap());
                let now = start.elapsed();
                found.push((now, now.as_secs_f64() - stamp as f64 / 1e9));
            }
            at += end;
        }
    }
    publish.join().unwrap();
    found
}

/// Returns the opcode and the payload of the first frame, and its length, once it is complete.
fn frame(bytes: &[u8]) -> Option<(u8, &[u8], usize)> {
    let short = usize::from(*bytes.get(1)?);
    let (start, len) = match short {
        126 => (4, usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        127 => (10, u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?) as usize),
        _ => (2, short),
    };
    Some((bytes[0] & 15, bytes.get(start..start + len)?, start + len))
}

/// The buffers of the system held samples for many seconds.
#[test]
fn a_slow_connection_delays_no_sample_by_more_than_half_a_second() {
    // 1 MB/s
    let found = delays(&|_| 10_000, Duration::from_secs(4));
    let late = found.iter().map(|(_, delay)| *delay).fold(0.0, f64::max);
    assert!(
        found.len() > 20 && late < 0.5,
        "{} samples, at most {late} s late: {found:?}",
        found.len()
    );
}

#[test]
fn a_client_that_stops_reading_goes_on_with_fresh_samples() {
    let stops = |at: Duration| (1.0..3.0).contains(&at.as_secs_f64());
    let found = delays(&|at| if stops(at) { 0 } else { 256 << 10 }, Duration::from_secs(4));
    let after: Vec<f64> =
        found.iter().filter(|(at, _)| at.as_secs_f64() >= 3.0).map(|(_, delay)| *delay).collect();
    // what the system held when the client stopped
    let old = after.iter().filter(|delay| **delay > 0.5).count();
    assert!(old <= 20 && after.len() > old + 20, "{old} of {} are old", after.len());
    assert!(after[old..].iter().all(|delay| *delay < 0.5), "{after:?}");
}

#[test]
fn tokens_origins_and_the_number_of_clients_are_checked() {
    let mut settings = settings();
    settings.token = Some("secret".to_owned());
    settings.max_clients = 1;
    let (address, _session, _sink) = serve(settings);
    let refused = |token| match Client::connect(address, token) {
        Err(ClientError::Refused { reason, .. }) => reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("connected"),
    };
    assert_eq!(refused(Some("wrong")), "simhost: the token is wrong");
    assert!(refused(None).contains("a token is needed"));
    let bearer = format!("{V1}Authorization: Bearer secret\r\nOrigin: https://evil.example\r\n");
    let (_, response) = raw(address, &bearer);
    assert!(response.starts_with("HTTP/1.1 403"), "{response}");
    let _first = Client::connect(address, Some("secret")).unwrap();
    assert!(refused(Some("secret")).contains("1 clients are connected already"));
}

#[test]
fn an_address_in_use_is_an_error_before_anything_is_served() {
    let server = Server::bind(settings()).unwrap();
    let mut settings = settings();
    settings.address = server.address();
    let Err(error) = Server::bind(settings.clone()) else { panic!("bound twice") };
    assert!(error.to_string().ends_with("another program uses this address"), "{error}");
    settings.address = "192.0.2.1:0".parse().unwrap();
    assert!(matches!(Server::bind(settings.clone()), Err(LiveError::Token(_))));
    settings.token = Some("secret".to_owned());
    let Err(error) = Server::bind(settings) else { panic!("bound to a foreign address") };
    assert!(error.to_string().contains("this machine does not have this address"), "{error}");
}
