//! Columns of numbers that observers write.

use super::{MemberMetrics, MetricColumn};
use crate::ensemble::Ensemble;
use crate::ensemble::metric::MemberMetric;
use crate::ensemble::observed::ObservedNumber;
use crate::error::EnsembleError;

impl MemberMetrics {
    /// Adds the column of a number of an observer.
    pub(super) fn add_observed(
        &mut self,
        metric: &MemberMetric,
        ensemble: &Ensemble,
    ) -> Result<(), EnsembleError> {
        let number: ObservedNumber = metric.to_string().parse()?;
        if ensemble.observer_folder(0).is_none() {
            let problem =
                "the ensemble has no folder for the files of observers; expected an output folder";
            return Err(metric.refused(problem.to_owned()));
        }
        number.check(ensemble.session())?;
        self.names.push(number.to_string());
        let (reduction, unit) = (metric.reduction, number.unit().to_owned());
        self.observed.push((self.columns.len(), number));
        self.columns.push(MetricColumn { reduction, unit, selection: usize::MAX, at: 0 });
        Ok(())
    }

    /// Reads the numbers of observers, after [`Ensemble::finish`] has completed their files. One that is missing is not a
    /// number.
    ///
    /// # Panics
    /// If the ensemble has another number of members.
    pub fn read_observed(&mut self, ensemble: &Ensemble) {
        let width = self.columns.len();
        for (column, number) in &self.observed {
            for member in 0..ensemble.members() {
                let folder = ensemble.observer_folder(member).unwrap_or_default();
                self.values[member * width + column] = number.read(&folder).unwrap_or(f64::NAN);
            }
        }
    }
}
