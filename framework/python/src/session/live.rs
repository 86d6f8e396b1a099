//! Live clients of a session.

use std::sync::Arc;

use pyo3::prelude::*;
use simhost::{ClockMode, Selection};
use simhost_live::{LiveError, Server, ServerSettings, ServiceDesk, resolve};

use super::Session;
use crate::errors::raise;

#[pymethods]
impl Session {
    /// Serves live clients on an address from the next run on, and returns its URL. Runs keep `pace` times real time,
    /// if it is given.
    #[pyo3(signature = (address, name, token, pace))]
    fn serve(
        &self,
        address: &str,
        name: String,
        token: Option<String>,
        pace: Option<f64>,
    ) -> PyResult<String> {
        let failed = |error: LiveError| raise("InputError", error);
        if let Some(pace) = pace.filter(|pace| !(pace.is_finite() && *pace > 0.0)) {
            let text = format!("pace is {pace}; expected a number greater than 0, or None");
            return Err(raise("InputError", text));
        }
        let mut settings = ServerSettings::new(resolve(address).map_err(failed)?);
        (settings.token, settings.name) = (token, name);
        let server = Server::bind(settings).map_err(failed)?;
        let url = format!("ws://{}", server.address());
        self.with(|state| {
            self.home.settle();
            if let Some(factor) = pace {
                state.session.control().set_clock(ClockMode::Realtime { factor });
            }
            let sink = server.start(ServiceDesk::new(Arc::new(state.session.client_inputs()?)));
            Ok(state.session.attach(Box::new(sink), &Selection::default()).map(drop)?)
        })?;
        Ok(url)
    }
}
