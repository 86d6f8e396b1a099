//! The metrics of a study.

use simhost::{Ensemble, Expression, MetricError, MetricRequest, Metrics, Session};

use crate::error::StudyError;
use crate::study::PlanValue;

/// Number of vehicles with metrics if none are requested.
const VEHICLES: usize = 8;

/// Returns the metrics of a study that has none: x, y and yaw of the first vehicles at the end.
pub fn usual_metrics(session: &Session) -> Vec<(String, PlanValue<String>)> {
    let vehicles = session.simulation().vehicle_names().iter().take(VEHICLES);
    let of = |vehicle: &String| {
        let name = vehicle.replace(|one: char| !one.is_ascii_alphanumeric(), "_");
        [("x", 0), ("y", 1), ("yaw", 3)].map(|(part, index)| {
            (format!("{name}_{part}"), format!("final({vehicle}/pose[{index}])").into())
        })
    };
    vehicles.flat_map(of).collect()
}

/// Checks the metrics of a study against the world of an ensemble. The condition under which a run
/// counts as failed follows [`Metrics::add_condition`].
pub fn checked(
    wanted: &[(String, PlanValue<String>)],
    failed: Option<&PlanValue<String>>,
    ensemble: &Ensemble,
) -> Result<Metrics, StudyError> {
    let mut metrics = Metrics::default();
    for (name, text) in wanted {
        if metrics.names().contains(name) {
            return Err(text.wrong(format!("the metric '{name}' is given twice")));
        }
        let request = MetricRequest::unnamed(&text.value);
        let mut request = request.map_err(|error| text.wrong(error.to_string()))?;
        // a metric without a name has that of its text, which can stand for several values
        request.name = (*name != text.value).then(|| name.clone());
        metrics.add(&request, ensemble).map_err(|error| refused(name, text, error))?;
    }
    if let Some(text) = failed {
        metrics.add_condition(read(&metrics, "failed", text, ensemble)?.0);
    }
    Ok(metrics)
}

/// Reads an expression over quantities and metrics. Returns it with its unit.
pub fn read(
    metrics: &Metrics,
    name: &str,
    text: &PlanValue<String>,
    ensemble: &Ensemble,
) -> Result<(Expression, String), StudyError> {
    metrics.read(&text.value, ensemble).map_err(|error| refused(name, text, error))
}

fn refused(name: &str, text: &PlanValue<String>, error: MetricError) -> StudyError {
    text.wrong(match error {
        MetricError::Refused(error) => error.to_string(),
        of_text => format!("'{name}' = {}: {of_text}", text.value),
    })
}
