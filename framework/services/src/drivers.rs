//! Who drives which vehicle.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use simhost_streams::{Control, Effect, Parameter, Stream};

/// Parameter with the clients that have claimed vehicles.
const NAME: &str = "simhost/drivers";

/// Clients that have claimed vehicles, by vehicle; `None` until the first one does.
#[derive(Default)]
pub struct Drivers(Mutex<Option<BTreeMap<String, String>>>);

impl Drivers {
    fn lock(&self) -> MutexGuard<'_, Option<BTreeMap<String, String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the parameter with which clients learn who drives.
    pub fn parameter(&self) -> Option<Parameter> {
        let drivers = self.lock();
        let value = json!(drivers.as_ref()?).to_string();
        Some(Parameter { name: NAME.to_owned(), value })
    }

    /// Lets only one client command a vehicle, and returns its name.
    ///
    /// # Errors
    /// There is no such vehicle, or another client has claimed it.
    pub fn claim(
        &self,
        vehicle: &str,
        client: &str,
        control: &dyn Control,
    ) -> Result<String, String> {
        let takes = |stream: &Arc<Stream>| matches!(&stream.effect, Some(Effect::Command { vehicle: one, .. }) if one == vehicle);
        if !control.input_streams().iter().any(takes) {
            return Err(format!("no vehicle that takes commands has the name '{vehicle}'"));
        }
        let mut drivers = self.lock();
        let drivers = drivers.get_or_insert_default();
        match drivers.get(vehicle).filter(|driver| *driver != client) {
            Some(driver) => Err(format!("{vehicle} is driven by {driver}, which has claimed it")),
            None => {
                drivers.insert(vehicle.to_owned(), client.to_owned());
                Ok(client.to_owned())
            }
        }
    }

    /// Lets all clients command a vehicle again.
    ///
    /// # Errors
    /// The client has not claimed it.
    pub fn release(&self, vehicle: &str, client: &str) -> Result<String, String> {
        let mut drivers = self.lock();
        let own = drivers.as_mut().filter(|all| all.get(vehicle).is_some_and(|one| one == client));
        match own {
            Some(drivers) => {
                drivers.remove(vehicle);
                Ok(String::new())
            }
            None => Err(format!("this client has not claimed {vehicle}")),
        }
    }

    /// Releases everything that a client has claimed.
    pub fn leave(&self, client: &str) {
        if let Some(drivers) = &mut *self.lock() {
            drivers.retain(|_, driver| driver != client);
        }
    }

    /// Returns why a client may not publish an input stream, if another client drives its vehicle.
    pub fn refusal(&self, stream: &Stream, client: &str) -> Option<String> {
        let Some(Effect::Command { vehicle, .. }) = &stream.effect else { return None };
        let other = self.other(vehicle, client)?;
        Some(format!("{vehicle} is driven by {other}, which has claimed it"))
    }

    /// Returns the client that drives a vehicle, unless it is this one.
    pub fn other(&self, vehicle: &str, client: &str) -> Option<String> {
        let drivers = self.lock();
        let driver = drivers.as_ref()?.get(vehicle)?;
        (driver != client).then(|| driver.clone())
    }
}
