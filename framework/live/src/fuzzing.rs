//! Entry point of a fuzz target.

use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, OnceLock};

use simhost_services::ServiceDesk;
use simhost_streams::{
    Control, Direction, Effect, Input, InputError, Parameter, Progress, Stream, types,
};

use crate::hub::Hub;
use crate::peer::Peer;
use crate::requests;
use crate::settings::ServerSettings;

/// Carries any bytes out as the messages of a client: a byte for the kind, two for the length, and the
/// message, one after the other.
pub fn fuzz_messages(mut bytes: &[u8]) {
    static STREAM: OnceLock<Option<TcpStream>> = OnceLock::new();
    let connect = || {
        let listener = TcpListener::bind("127.0.0.1:0").ok()?;
        TcpStream::connect(listener.local_addr().ok()?).ok()
    };
    let Some(stream) = STREAM.get_or_init(connect).as_ref().and_then(|one| one.try_clone().ok())
    else {
        return;
    };
    let address = ([127, 0, 0, 1], 0).into();
    let desk = Arc::new(ServiceDesk::new(Arc::new(Session)));
    let hub = Hub::new(ServerSettings::new(address), desk);
    let descriptions = [crate::Description {
        topic: "/robot/odometry".to_owned(),
        encoding: "cdr".to_owned(),
        schema_name: "nav_msgs/msg/Odometry".to_owned(),
        schema_encoding: "ros2msg".to_owned(),
        schema: String::new(),
        is_latched: true,
    }];
    hub.set_channels(descriptions.to_vec());
    let peer = Arc::new(Peer::new(stream, address, 1 << 20));
    hub.join(&peer);
    while let [kind, low, high, rest @ ..] = bytes {
        let len = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (message, after) = rest.split_at(len);
        bytes = after;
        let carried = match kind % 2 {
            0 => requests::text(&hub, &peer, &String::from_utf8_lossy(message)),
            _ => requests::binary(&hub, &peer, message),
        };
        // the connection would end
        if carried.is_err() {
            break;
        }
    }
    hub.report();
    hub.leave(&peer);
}

/// A session that accepts every input.
struct Session;

impl Control for Session {
    fn send(&self, _: Input) -> Result<(), InputError> {
        Ok(())
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        let effect = Effect::Command { vehicle: "robot".to_owned(), kind: "twist".to_owned() };
        let mut stream = Stream::new("robot/cmd_vel", Arc::new(types::Twist::TYPE));
        (stream.direction, stream.effect) = (Direction::Input, Some(effect));
        vec![Arc::new(stream)]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter { name: "robot/controller/KP".to_owned(), value: "1".to_owned() }]
    }

    fn progress(&self) -> Progress {
        Progress::default()
    }
}
