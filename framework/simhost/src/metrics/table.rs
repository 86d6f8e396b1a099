//! The table of the members of an ensemble.

use simhost_record::{csv_number, csv_text};

use super::members::MemberMetrics;
use crate::ensemble::{Ensemble, MemberEnd};
use crate::error::Error;
use crate::time::Time;
use crate::variation::VariedValue;

impl MemberMetrics {
    /// Returns the columns of the table of [`Self::table_row`]: `member`, `seed`, one per variation
    /// except the variation of the seed, the metrics with their units, `end`, `time_s`, `steps` and
    /// `result_hash`.
    pub fn table_head(&self, ensemble: &Ensemble) -> String {
        let variations = ensemble.variations().filter(|name| *name != "seed").map(csv_text);
        let metrics = self.metrics().names().iter().zip(self.metrics().units());
        let metrics = metrics.map(|(name, unit)| csv_text(&format!("{name} [{unit}]")));
        let first = ["member", "seed"].map(str::to_owned).into_iter();
        let last = ["end", "time_s", "steps", "result_hash"].map(str::to_owned);
        first.chain(variations).chain(metrics).chain(last).collect::<Vec<_>>().join(",")
    }

    /// Returns the row of a member: numbers are the shortest that read back exactly. The end is
    /// [`MemberEnd::name`], or `running`.
    ///
    /// # Errors
    /// [`EnsembleError::Member`](crate::EnsembleError::Member) if there is no such member, and [`Error`] if its state cannot be looked at.
    pub fn table_row(&self, ensemble: &mut Ensemble, number: usize) -> Result<String, Error> {
        let values = ensemble.values(number)?;
        let names = ensemble.variations().map(|name| name != "seed").collect::<Vec<_>>();
        let varied = names.iter().zip(&values).filter(|(is_shown, _)| **is_shown);
        let varied = varied.map(|(_, value)| match value {
            VariedValue::Number(number) => csv_number(*number),
            VariedValue::Text(text) => csv_text(text),
        });
        let mut cells: Vec<String> = varied.collect();
        cells.extend(self.row(number).iter().map(|value| csv_number(*value)));
        let mut member = ensemble.member(number)?;
        let end = member.end().map_or("running", MemberEnd::name);
        let (Time(time), steps, seed) = (member.time(), member.steps(), member.seed());
        cells.extend([end.to_owned(), csv_number(time), steps.to_string()]);
        cells.push(format!("{:032x}", member.result_hash()?));
        Ok(format!("{number},{seed},{}", cells.join(",")))
    }
}
