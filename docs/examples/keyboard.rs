//! Drives a vehicle of a live run with the keyboard.
//!
//! Start a run with `simhost worlds/demo.world.xml --live`, then, in another terminal,
//! `cargo run -p simhost-live --example keyboard -- 127.0.0.1:8765 robot`.

use std::sync::mpsc;
use std::time::Duration;

use console::{Key, Term};
use serde_json::{Value, json};
use simhost_live::{Client, Event, resolve};

/// Setpoints of the vehicle.
#[derive(Default)]
struct Setpoints {
    /// Forward velocity, m/s.
    speed: f64,
    /// Yaw rate, rad/s, positive counter-clockwise.
    yaw_rate: f64,
    is_paused: bool,
}

impl Setpoints {
    /// Changes the setpoints as a key asks for. Returns `false` for the key that leaves.
    fn press(&mut self, key: &Key) -> bool {
        match key {
            Key::ArrowUp => self.speed = (self.speed + 0.1).min(2.0),
            Key::ArrowDown => self.speed = (self.speed - 0.1).max(-2.0),
            Key::ArrowLeft => self.yaw_rate = (self.yaw_rate + 0.1).min(2.0),
            Key::ArrowRight => self.yaw_rate = (self.yaw_rate - 0.1).max(-2.0),
            Key::Char(' ') => (self.speed, self.yaw_rate) = (0.0, 0.0),
            Key::Char('p') => self.is_paused = !self.is_paused,
            Key::Char('q') | Key::Escape | Key::CtrlC => return false,
            _ => {}
        }
        true
    }

    /// Returns the message for `VEHICLE/cmd_vel`.
    fn twist(&self) -> Value {
        json!({"linear": {"x": self.speed}, "angular": {"z": self.yaw_rate}})
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let address = resolve(&words.next().unwrap_or_default())?;
    let vehicle = words.next().unwrap_or_else(|| "robot".to_owned());
    let token = std::env::var("SIMHOST_LIVE_TOKEN").ok();
    let mut client = Client::connect(address, token.as_deref())?;
    let channel = client.advertise(&format!("/{vehicle}/cmd_vel"), "geometry_msgs/msg/Twist")?;
    let screen = Term::stderr();
    screen.write_line("arrows drive, space stops, p pauses, q leaves")?;

    let (send, keys) = mpsc::channel();
    let keyboard = screen.clone();
    let reader = std::thread::spawn(move || {
        while let Ok(key) = keyboard.read_key_raw() {
            // reading changes the terminal, so nothing is read after the last key
            let is_last = !Setpoints::default().press(&key);
            if send.send(key).is_err() || is_last {
                break;
            }
        }
    });
    let mut setpoints = Setpoints::default();
    let mut drives = true;
    while drives {
        match client.next(Duration::from_millis(10)) {
            // a status message names what the server does not accept
            Ok(Some(Event::Text(message))) if message["op"] == "status" => {
                screen.write_line(message["message"].as_str().unwrap_or_default())?;
            }
            Ok(Some(Event::Closed(_))) | Err(_) => {
                screen.write_line("the run has ended; press any key to leave")?;
                drop(keys);
                let _ = reader.join();
                return Ok(());
            }
            _ => {}
        }
        let was_paused = setpoints.is_paused;
        let Ok(key) = keys.try_recv() else { continue };
        drives = setpoints.press(&key);
        if setpoints.is_paused != was_paused {
            let service = if was_paused { "/simhost/resume" } else { "/simhost/pause" };
            client.call(service, &json!({}))?;
        }
        client.publish(channel, &setpoints.twist())?;
    }
    let _ = reader.join();
    client.publish(channel, &Setpoints::default().twist())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Setpoints;
    use console::Key;

    #[test]
    fn keys_become_messages() {
        let mut setpoints = Setpoints::default();
        for key in [Key::ArrowUp, Key::ArrowUp, Key::ArrowRight, Key::Char('p')] {
            assert!(setpoints.press(&key));
        }
        assert_eq!(setpoints.twist()["linear"]["x"], 0.2);
        assert_eq!(setpoints.twist()["angular"]["z"], -0.1);
        assert!(setpoints.is_paused);
        setpoints.press(&Key::Char(' '));
        assert_eq!(setpoints.twist()["linear"]["x"], 0.0);
        assert!(!setpoints.press(&Key::Char('q')));
    }
}
