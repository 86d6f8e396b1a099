//! Declarations of the commands of controllers and fleets.

use simhost_abi::{CommandDesc, PortDesc, Str};

/// Kinds of commands, each declared with [`command!`](crate::command).
pub type CommandKinds = &'static [CommandDesc];

/// Declares a kind of commands: its name, and the ports of its values, in order. An empty name
/// skips a value. `[..n]` after a struct of ports selects the first `n` of them.
///
/// ```
/// # use simhost_sdk::prelude::*;
/// /// Commanded torques.
/// #[derive(Ports)]
/// pub struct Commanded {
///     /// Torque of the left motor.
///     #[port(unit = "N·m", command)]
///     command_left: f64,
///     /// Torque of the right motor.
///     #[port(unit = "N·m", command)]
///     command_right: f64,
/// }
///
/// const COMMANDS: CommandKinds =
///     &[command!("torques": Commanded[..2]), command!("right_torque": "", "command_right")];
/// assert!(COMMANDS.iter().all(|kind| kind.ports.len == 2));
/// ```
///
/// It fails to compile if there are fewer ports.
#[macro_export]
macro_rules! command {
    ($kind:literal: $ports:ident[..$count:literal]) => {
        $crate::command_desc(
            $kind,
            const { &$crate::command_values::<$count>(<$ports as $crate::Ports>::PORTS) },
        )
    };
    ($kind:literal: $($port:literal),* $(,)?) => {
        $crate::command_desc($kind, const { &[$($crate::port_name($port)),*] })
    };
}

/// Returns the description of a kind of commands.
#[doc(hidden)]
pub const fn command_desc(kind: &'static str, ports: &'static [Str]) -> CommandDesc {
    CommandDesc::new(kind, ports)
}

/// Returns the name of a port.
#[doc(hidden)]
pub const fn port_name(name: &'static str) -> Str {
    Str::new(name)
}

/// Returns the names of the first `N` ports of a list.
///
/// # Panics
/// Fails to compile if there are fewer ports.
#[doc(hidden)]
pub const fn command_values<const N: usize>(ports: &[PortDesc]) -> [Str; N] {
    assert!(ports.len() >= N, "more values than ports");
    let mut names = [Str::new(""); N];
    let mut index = 0;
    while index < N {
        names[index] = ports[index].name;
        index += 1;
    }
    names
}
