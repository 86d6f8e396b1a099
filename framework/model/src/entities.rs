//! Names of the lanes of a call, as messages show them.

use std::sync::Arc;

/// Names of the lanes of a call, without a text for each lane and call.
#[derive(Clone, Debug, Default)]
pub struct Entities {
    /// Vehicles or sensors, shared by all calls of a table.
    owners: Arc<[String]>,
    /// Wheels; empty if a lane is a vehicle or sensor.
    wheels: Arc<[String]>,
    /// Number of the vehicle of each owner; empty if no model asks for it.
    vehicles: Arc<[u32]>,
    /// Whether all lanes have the name of the first owner.
    shared: bool,
}

/// Name of a lane: a vehicle such as `vehicle 'robot'`, a wheel of it, or a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity<'a> {
    owner: &'a str,
    wheel: Option<&'a str>,
}

impl Entities {
    /// Names lanes that are vehicles or sensors.
    pub fn owners(owners: Vec<String>) -> Self {
        Self { owners: owners.into(), ..Self::default() }
    }

    /// Gives all lanes the same name, for a model that belongs to the whole world and has one state
    /// for all lanes.
    pub fn shared(owner: String) -> Self {
        Self { shared: true, ..Self::owners(vec![owner]) }
    }

    /// Returns whether all lanes have the same name and share one state.
    pub fn are_shared(&self) -> bool {
        self.shared
    }

    /// Sets the number of the vehicle of each owner.
    #[must_use]
    pub fn numbered(self, vehicles: Vec<u32>) -> Self {
        Self { vehicles: vehicles.into(), ..self }
    }

    /// Returns the number of the vehicle of a lane, or `None` if it has none.
    pub fn vehicle(&self, lane: usize) -> Option<u32> {
        self.vehicles.get(lane % self.owners.len().max(1)).copied()
    }

    /// Names lanes that are wheels: all vehicles of the first wheel, then all of the second.
    pub fn wheels(&self, wheels: Vec<String>) -> Self {
        Self { wheels: wheels.into(), ..self.clone() }
    }

    /// Returns the names of the vehicles or sensors.
    pub fn names(&self) -> &[String] {
        &self.owners
    }

    /// Returns the name of a lane, which is empty for a lane that does not exist.
    pub fn get(&self, lane: usize) -> Entity<'_> {
        let count = self.owners.len().max(1);
        let wheel = self.wheels.get(lane / count);
        let lane = match wheel {
            Some(_) => lane % count,
            None if self.shared => 0,
            None => lane,
        };
        let owner = self.owners.get(lane).map_or("", String::as_str);
        Entity { owner, wheel: wheel.map(String::as_str) }
    }
}

impl Entity<'_> {
    /// Returns whether the lane has no name.
    pub const fn is_unnamed(&self) -> bool {
        self.owner.is_empty()
    }
}

impl std::fmt::Display for Entity<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.owner)?;
        match self.wheel {
            Some(wheel) => write!(f, ", wheel {wheel}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Entities;

    #[test]
    fn wheels_follow_their_vehicles() {
        let vehicles = Entities::owners(vec!["vehicle 'a'".into(), "vehicle 'b'".into()]);
        let wheels = vehicles.wheels(vec!["l".into(), "r".into()]);
        let names: Vec<String> = (0..4).map(|lane| wheels.get(lane).to_string()).collect();
        let expected = [
            "vehicle 'a', wheel l",
            "vehicle 'b', wheel l",
            "vehicle 'a', wheel r",
            "vehicle 'b', wheel r",
        ];
        assert_eq!(names, expected);
        assert_eq!(vehicles.get(1).to_string(), "vehicle 'b'");
        assert_eq!(vehicles.get(2).to_string(), "");
        assert_eq!(Entities::shared("rain".into()).get(7).to_string(), "rain");
        assert_eq!(wheels.vehicle(3), None);
        let numbered = vehicles.numbered(vec![4, 7]).wheels(vec!["l".into(), "r".into()]);
        assert_eq!(numbered.vehicle(3), Some(7));
    }
}
