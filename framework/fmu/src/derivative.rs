//! Directional derivatives of outputs and rates with respect to inputs and states, by central differences.
//!
//! The error of a central difference with the step h is of the order of h² by truncation, and of ε/h by rounding, where ε is the
//! distance from 1 to the next number. Both are equal at about ε^(1/3) (Press et al., Numerical Recipes, 3rd edition, section 5.7).

use crate::instance::Instance;
use crate::simulator::Failure;

impl Instance {
    /// Returns the change of unknowns per change of knowns in a direction.
    ///
    /// # Errors
    /// An instance that is not for model exchange, a known that is neither an input nor a continuous state, and a direction that is
    /// not finite.
    pub fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        direction: &[f64],
    ) -> Result<Vec<f64>, Failure> {
        self.exchange()?;
        if direction.len() != knowns.len() {
            let (found, expected) = (direction.len(), knowns.len());
            let text = format!("the direction has {found} numbers; expected {expected}");
            return Err(Failure::error(text));
        }
        let present = knowns.iter().map(|known| self.number(*known));
        let present = present.collect::<Result<Vec<f64>, _>>()?;
        let longest = direction.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        if direction.iter().any(|part| !part.is_finite()) {
            return Err(Failure::error("the direction is not finite"));
        }
        if longest == 0.0 {
            return Ok(vec![0.0; unknowns.len()]);
        }
        let size = present.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
        let step = f64::EPSILON.cbrt() * size / longest;
        let [before, after] = [-step, step].map(|step| {
            let moved = present.iter().zip(direction).map(|(value, part)| value + step * part);
            self.place(knowns, moved)?;
            unknowns.iter().map(|unknown| self.number(*unknown)).collect::<Result<Vec<f64>, _>>()
        });
        self.place(knowns, present.into_iter())?;
        let ends = before?.into_iter().zip(after?);
        Ok(ends.map(|(before, after)| (after - before) / (2.0 * step)).collect())
    }

    /// Returns for each known the change of unknowns per change of it, weighted by a vector.
    ///
    /// # Errors
    /// As of [`Self::directional_derivative`].
    pub fn adjoint_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        weights: &[f64],
    ) -> Result<Vec<f64>, Failure> {
        if weights.len() != unknowns.len() {
            let (found, expected) = (weights.len(), unknowns.len());
            return Err(Failure::error(format!(
                "the seed has {found} numbers; expected {expected}"
            )));
        }
        let of_known = |known: &u32| {
            let changes = self.directional_derivative(unknowns, &[*known], &[1.0])?;
            Ok(changes.iter().zip(weights).map(|(change, weight)| change * weight).sum())
        };
        knowns.iter().map(of_known).collect()
    }

    /// Sets inputs and states.
    fn place(&mut self, knowns: &[u32], values: impl Iterator<Item = f64>) -> Result<(), Failure> {
        for (known, value) in knowns.iter().zip(values) {
            if !self.exchange()?.set_known(*known as usize, value) {
                return Err(self.wrong_type(*known, "an input or a continuous state"));
            }
        }
        Ok(())
    }
}
