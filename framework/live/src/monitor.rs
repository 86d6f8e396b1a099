//! A table of the vehicles of a session, from what a client receives.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use simhost_streams::{StreamType, ros, types};

use crate::client::{Client, ClientError, Event};

/// Watches the vehicles, the pace and the faults of a session.
pub struct Monitor {
    client: Client,
    name: String,
    is_paused: bool,
    /// Messages of the topics that it has subscribed to.
    sources: BTreeMap<u32, Source>,
    vehicles: BTreeMap<String, Vehicle>,
    /// Faults by their name and source.
    faults: BTreeMap<String, Fault>,
    window: Window,
    /// Forms of the messages with poses and with faults.
    layouts: Option<[ros::Layout; 2]>,
}

#[derive(Clone)]
enum Source {
    Vehicle(String),
    Faults(String),
}

#[derive(Clone, Default)]
struct Vehicle {
    /// x, y, m; yaw, rad.
    pose: Option<[f64; 3]>,
    /// m/s.
    speed: f64,
    samples: u64,
    /// Samples in a second of wall time.
    rate: f64,
    /// Number of its faults.
    faults: usize,
}

struct Fault {
    vehicle: String,
    text: String,
}

/// The time over which rates are measured.
struct Window {
    begun: Instant,
    /// Simulated time at its begin and now, ns.
    times: Option<(u64, u64)>,
    /// Simulated time per wall time in the last window.
    pace: Option<f64>,
}

impl Monitor {
    /// Watches the session of a server.
    ///
    /// # Errors
    /// [`ClientError`] if the connection is lost.
    pub fn new(mut client: Client) -> Result<Self, ClientError> {
        let watch =
            json!({"op": "subscribeParameterUpdates", "parameterNames": ["simhost/paused"]});
        client.send(&watch)?;
        client.send(&json!({"op": "getParameters", "parameterNames": ["simhost/paused"]}))?;
        let mut monitor = Self {
            name: client.server_name().to_owned(),
            client,
            is_paused: false,
            sources: BTreeMap::new(),
            vehicles: BTreeMap::new(),
            faults: BTreeMap::new(),
            window: Window { begun: Instant::now(), times: None, pace: None },
            layouts: layout(&types::Odometry::TYPE)
                .zip(layout(&types::Diagnostics::TYPE))
                .map(Into::into),
        };
        monitor.subscribe()?;
        Ok(monitor)
    }

    /// Subscribes to the poses and faults that the server offers.
    fn subscribe(&mut self) -> Result<(), ClientError> {
        let topics: Vec<String> = self.client.topics().map(str::to_owned).collect();
        let mut vehicles = std::mem::take(&mut self.vehicles);
        for topic in topics {
            let name = topic.trim_start_matches('/');
            let source = match name.rsplit_once('/') {
                Some((vehicle, "ground_truth")) => {
                    let known = vehicles.remove(vehicle).unwrap_or_default();
                    self.vehicles.insert(vehicle.to_owned(), known);
                    Source::Vehicle(vehicle.to_owned())
                }
                Some((vehicle, "robot_faults")) => Source::Faults(vehicle.to_owned()),
                None if name == "faults" => Source::Faults(String::new()),
                _ => continue,
            };
            if !self.client.is_subscribed(&topic) {
                let id = self.client.subscribe(&topic)?;
                self.sources.insert(id, source);
            }
        }
        Ok(())
    }

    /// Receives messages for a time. Returns `false` when the server has ended the connection.
    ///
    /// # Errors
    /// [`ClientError`] if the connection is lost.
    pub fn watch(&mut self, time: Duration) -> Result<bool, ClientError> {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.client.next(left)? {
                Some(Event::Closed(_)) => return Ok(false),
                Some(event) => self.take(event)?,
                None => {}
            }
            if left.is_zero() {
                self.measure();
                return Ok(true);
            }
        }
    }

    fn take(&mut self, event: Event) -> Result<(), ClientError> {
        match event {
            Event::Time(now) => {
                let (begin, last) = self.window.times.unwrap_or((now, now));
                let begin = if now < last { now } else { begin };
                self.window.times = Some((begin, now));
            }
            Event::Sample { subscription, payload, .. } => {
                match self.sources.get(&subscription).cloned() {
                    Some(Source::Vehicle(name)) => self.pose(&name, &payload),
                    Some(Source::Faults(vehicle)) => self.fault(&vehicle, &payload),
                    None => {}
                }
            }
            Event::Text(value) => match value["op"].as_str() {
                Some("advertise" | "unadvertise") => self.subscribe()?,
                Some("parameterValues") => {
                    let mut all = value["parameters"].as_array().into_iter().flatten();
                    let paused = all.find(|one| one["name"] == "simhost/paused");
                    let paused = paused.and_then(|parameter| parameter["value"].as_bool());
                    self.is_paused = paused.unwrap_or(self.is_paused);
                }
                _ => {}
            },
            Event::Response { .. } | Event::Closed(_) => {}
        }
        Ok(())
    }

    fn pose(&mut self, name: &str, message: &[u8]) {
        let Some(vehicle) = self.vehicles.get_mut(name) else { return };
        vehicle.samples += 1;
        let layout = self.layouts.as_ref().map(|[poses, _]| poses);
        let read = layout.and_then(|layout| layout.decode(message).ok());
        if let Some(([x, y, yaw], speed)) = read.and_then(|message| odometry(&message)) {
            (vehicle.pose, vehicle.speed) = (Some([x, y, yaw]), speed);
        }
    }

    fn fault(&mut self, vehicle: &str, message: &[u8]) {
        let layout = self.layouts.as_ref().map(|[_, faults]| faults);
        let Some(Ok(value)) = layout.map(|layout| layout.decode(message)) else {
            return;
        };
        for status in value["status"].as_array().into_iter().flatten() {
            let text = |name: &str| status[name].as_str().unwrap_or("").to_owned();
            let key = format!("{vehicle}/{}/{}", text("name"), text("hardware_id"));
            // level 0 means that all is well
            if status["level"].as_u64().unwrap_or(0) == 0 {
                self.faults.remove(&key);
                continue;
            }
            let owner = match vehicle {
                "" => text("name").split('/').next().unwrap_or("").to_owned(),
                vehicle => vehicle.to_owned(),
            };
            let text = format!("{}: {}", text("name"), text("message"));
            self.faults.insert(key, Fault { vehicle: owner, text });
        }
    }

    /// Ends the time over which rates are measured, and begins another.
    fn measure(&mut self) {
        let wall = self.window.begun.elapsed().as_secs_f64();
        let times = self.window.times;
        let pace = times.map(|(begin, now)| (now - begin) as f64 / 1e9 / wall);
        let times = times.map(|(_, now)| (now, now));
        self.window = Window { begun: Instant::now(), times, pace };
        for (name, vehicle) in &mut self.vehicles {
            vehicle.rate = std::mem::take(&mut vehicle.samples) as f64 / wall;
            vehicle.faults = self.faults.values().filter(|fault| fault.vehicle == *name).count();
        }
    }

    /// Returns the table with at most `rows` lines.
    pub fn table(&self, rows: usize) -> String {
        /// Lines in addition to the lines of vehicles.
        const HEAD: usize = 3;
        let time = self.window.times.map_or(0.0, |(_, now)| now as f64 / 1e9);
        let pace = self.window.pace.map_or_else(|| "-".to_owned(), |pace| format!("{pace:.2}"));
        let state = if self.is_paused { "paused" } else { "running" };
        let mut out = format!("{}  {time:.3} s  pace {pace}  {state}\n\n", self.name);
        let width = self.vehicles.keys().map(|name| name.chars().count()).max().unwrap_or(0).max(7);
        let _ = writeln!(
            out,
            "{:width$}  {:>10}  {:>10}  {:>8}  {:>10}  {:>8}  {:>6}",
            "vehicle", "x [m]", "y [m]", "yaw [°]", "v [m/s]", "rate [Hz]", "faults"
        );
        let faults = self.faults.len().min(5);
        let room = rows.saturating_sub(HEAD + faults + 1).max(1);
        for (name, vehicle) in self.vehicles.iter().take(room) {
            let [x, y, yaw] = match vehicle.pose {
                Some([x, y, yaw]) => [number(x, 3), number(y, 3), number(yaw.to_degrees(), 1)],
                None => ["-".to_owned(), "-".to_owned(), "-".to_owned()],
            };
            let Vehicle { speed, rate, faults, .. } = vehicle;
            let _ = writeln!(
                out,
                "{name:width$}  {x:>10}  {y:>10}  {yaw:>8}  {:>10}  {rate:>9.1}  {faults:>6}",
                number(*speed, 3)
            );
        }
        if self.vehicles.len() > room {
            let _ = writeln!(out, "{} more vehicles", self.vehicles.len() - room);
        }
        for fault in self.faults.values().take(faults) {
            let _ = writeln!(out, "fault: {}", fault.text);
        }
        out
    }
}

fn number(value: f64, digits: usize) -> String {
    // without the sign of a rounded zero
    let text = format!("{value:.digits$}");
    match text.trim_start_matches('-').bytes().all(|byte| byte == b'0' || byte == b'.') {
        true => text.trim_start_matches('-').to_owned(),
        false => text,
    }
}

fn layout(kind: &StreamType) -> Option<ros::Layout> {
    ros::Layout::new(&ros::schema(kind)).ok()
}

/// Returns the pose (x, y, m; yaw, rad) and the speed (m/s) in a `nav_msgs/msg/Odometry`.
fn odometry(message: &Value) -> Option<([f64; 3], f64)> {
    let number = |path: &str| message.pointer(path)?.as_f64();
    let part = |axis: &str| number(&format!("/pose/pose/orientation/{axis}"));
    let [yaw, ..] = ros::yaw_pitch_roll([part("x")?, part("y")?, part("z")?, part("w")?]);
    let (x, y) = (number("/pose/pose/position/x")?, number("/pose/pose/position/y")?);
    let (vx, vy) = (number("/twist/twist/linear/x")?, number("/twist/twist/linear/y")?);
    Some(([x, y, yaw], vx.hypot(vy)))
}
