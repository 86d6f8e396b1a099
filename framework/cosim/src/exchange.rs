//! Model exchange: the importer integrates the states of an FMU.
//!
//! The method is the classical Runge-Kutta method (Kutta 1901) with the step of the host, and inputs are constant during a step.
//! Between steps, the FMU is in event mode, so that inputs of all types can change. A step ends at each time event that the FMU
//! announces. State events would need a return to an earlier time, so FMUs with event indicators are refused.

use crate::functions::{EventFunctions, EventInfo, Exchange, ReadFn};
use crate::instance::FmuInstance;

/// Time of each evaluation of the rates as a part of the step, and its weight.
const EVALUATIONS: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)];
/// Largest number of updates of an event.
const MAX_UPDATES: usize = 100;
/// Largest number of time events in a step.
const MAX_EVENTS: usize = 10_000;

impl FmuInstance {
    /// Integrates the states from `start` over `step` seconds, with stops at time events.
    ///
    /// # Errors
    /// The function that failed, or an FMU that asks for the end of the simulation or for too many events.
    pub(crate) fn integrate(
        &mut self,
        exchange: &Exchange,
        start: f64,
        step: f64,
    ) -> Result<(), String> {
        let (mut now, end) = (start, start + step);
        for _ in 0..MAX_EVENTS {
            let next = self.update(exchange, now)?;
            // SAFETY: the instance is in event mode after the updates, also below.
            let status = unsafe { (exchange.continuous_mode)(self.component) };
            self.check("EnterContinuousTimeMode", status)?;
            let to = next.filter(|next| *next < end).unwrap_or(end);
            self.runge_kutta(exchange, now, to)?;
            self.complete(exchange, to)?;
            // SAFETY: the instance is in continuous-time mode.
            let status = unsafe { (exchange.event_mode)(self.component) };
            self.check("EnterEventMode", status)?;
            if to == end {
                return Ok(());
            }
            now = to;
        }
        Err(format!("the FMU has more than {MAX_EVENTS} events between {start} s and {end} s"))
    }

    /// Updates the discrete states until they are stable, and returns the time of the next event.
    fn update(&mut self, exchange: &Exchange, now: f64) -> Result<Option<f64>, String> {
        for _ in 0..MAX_UPDATES {
            let (needs_update, ends, next) = self.update_once(exchange)?;
            if ends {
                return Err(format!("the FMU asks for the end of the simulation at {now} s"));
            }
            match next {
                _ if needs_update => {}
                // an event that has passed would be there forever
                Some(next) if next <= now => {
                    return Err(format!(
                        "the FMU has an event at {next} s; expected one after {now} s"
                    ));
                }
                next => return Ok(next),
            }
        }
        Err(format!("the discrete states at {now} s are not stable after {MAX_UPDATES} updates"))
    }

    /// Returns whether another update is needed, whether the simulation ends, and the time of the next event.
    fn update_once(&mut self, exchange: &Exchange) -> Result<(bool, bool, Option<f64>), String> {
        // SAFETY: the instance is in event mode, and all addresses can be written.
        unsafe {
            match exchange.events {
                EventFunctions::Two { update, .. } => {
                    let mut info = EventInfo::default();
                    let status = update(self.component, &raw mut info);
                    self.check("NewDiscreteStates", status)?;
                    let next = (info.has_next != 0).then_some(info.next);
                    Ok((info.needs_update != 0, info.ends != 0, next))
                }
                EventFunctions::Three { update, .. } => {
                    let [mut needs, mut ends, mut nominals, mut states, mut has_next] = [false; 5];
                    let mut next = 0.0;
                    let status = update(
                        self.component,
                        &raw mut needs,
                        &raw mut ends,
                        &raw mut nominals,
                        &raw mut states,
                        &raw mut has_next,
                        &raw mut next,
                    );
                    self.check("UpdateDiscreteStates", status)?;
                    Ok((needs, ends, has_next.then_some(next)))
                }
            }
        }
    }

    /// Integrates between two times without events in between.
    fn runge_kutta(&mut self, exchange: &Exchange, from: f64, to: f64) -> Result<(), String> {
        let (count, step) = (self.fmu.description.states, to - from);
        let mut start = vec![0.0; count];
        // SAFETY: the instance is in continuous-time mode, and the list has one number per state, also below.
        let read = |read: ReadFn, to: &mut [f64], component| unsafe {
            read(component, to.as_mut_ptr(), to.len())
        };
        if count > 0 {
            let status = read(exchange.states, &mut start, self.component);
            self.check("GetContinuousStates", status)?;
        }
        let (mut rates, mut sum) = (vec![0.0; count], vec![0.0; count]);
        for (part, weight) in EVALUATIONS.into_iter().take(if count == 0 { 0 } else { 4 }) {
            let moved = start.iter().zip(&rates).map(|(start, rate)| start + part * step * rate);
            let moved: Vec<f64> = moved.collect();
            self.move_to(exchange, from + part * step, &moved)?;
            let status = read(exchange.rates, &mut rates, self.component);
            self.check("GetDerivatives", status)?;
            sum.iter_mut().zip(&rates).for_each(|(sum, rate)| *sum += weight * rate);
        }
        let end = start.iter().zip(&sum).map(|(start, sum)| start + step / 6.0 * sum);
        let end: Vec<f64> = end.collect();
        self.move_to(exchange, to, &end)
    }

    fn move_to(&mut self, exchange: &Exchange, time: f64, states: &[f64]) -> Result<(), String> {
        // SAFETY: the instance is in continuous-time mode, and the list has one number per state.
        let status = unsafe { (exchange.set_time)(self.component, time) };
        self.check("SetTime", status)?;
        if states.is_empty() {
            return Ok(());
        }
        // SAFETY: as above.
        let status =
            unsafe { (exchange.set_states)(self.component, states.as_ptr(), states.len()) };
        self.check(format_args!("SetContinuousStates at {time} s"), status)
    }

    /// Reports a completed step. The FMU enters event mode afterwards, whether it asks for it or not.
    fn complete(&mut self, exchange: &Exchange, time: f64) -> Result<(), String> {
        // SAFETY: the instance is in continuous-time mode, and all addresses can be written.
        let (status, ends) = unsafe {
            match exchange.events {
                EventFunctions::Two { completed, .. } => {
                    let (mut event, mut ends) = (0, 0);
                    let status = completed(self.component, 1, &raw mut event, &raw mut ends);
                    (status, ends != 0)
                }
                EventFunctions::Three { completed, .. } => {
                    let (mut event, mut ends) = (false, false);
                    let status = completed(self.component, true, &raw mut event, &raw mut ends);
                    (status, ends)
                }
            }
        };
        self.check("CompletedIntegratorStep", status)?;
        match ends {
            true => Err(format!("the FMU asks for the end of the simulation at {time} s")),
            false => Ok(()),
        }
    }
}
