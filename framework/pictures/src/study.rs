//! The report of a study: one HTML page with its rows and what they say together.

use quick_xml::escape::partial_escape;
use serde_json::json;

use crate::report::CHART_SCRIPT;

/// The rows of a study, for a report.
#[derive(Clone, Debug, Default)]
pub struct StudyTable {
    /// Title of the page.
    pub title: String,
    /// Names and values at the head of the page.
    pub facts: Vec<(String, String)>,
    /// Names of what varies.
    pub varied: Vec<String>,
    /// Names of the metrics, with their units.
    pub metrics: Vec<String>,
    /// The rows in the order of the plan.
    pub rows: Vec<StudyRow>,
    /// Quantities of some runs over time.
    pub curves: CurveTable,
    /// First-order and total Sobol indices of each metric by what is drawn, if the design allows them.
    pub sobol: Vec<SobolTable>,
}

/// A row of a study.
#[derive(Clone, Debug, Default)]
pub struct StudyRow {
    /// Number of the run.
    pub run: u64,
    /// Identifier.
    pub id: String,
    /// Values of what varies, as texts.
    pub values: Vec<String>,
    /// Metrics; `None` for one that is not a finite number.
    pub metrics: Vec<Option<f64>>,
    /// How the run has ended.
    pub status: String,
    /// Why.
    pub reason: String,
}

/// Quantities of runs over time.
#[derive(Clone, Debug, Default)]
pub struct CurveTable {
    /// Names of the quantities, with their units.
    pub names: Vec<String>,
    /// Sampling period, s, starting at the start of the run.
    pub period: f64,
    /// Number of each run, with the samples of each quantity.
    pub runs: Vec<(u64, Vec<Vec<f64>>)>,
}

/// Sobol indices of a metric.
#[derive(Clone, Debug, Default)]
pub struct SobolTable {
    /// Name of the metric.
    pub metric: String,
    /// Name of what is drawn, first-order index, total index.
    pub indices: Vec<(String, f64, f64)>,
}

/// Returns the page. It loads nothing from the network.
pub fn study_report(study: &StudyTable) -> String {
    let StudyTable { title, facts, varied, metrics, rows, curves, sobol } = study;
    let row =
        |row: &StudyRow| json!([row.run, row.id, row.values, row.metrics, row.status, row.reason]);
    // five digits are enough for a line
    let rounded =
        |value: &f64| format!("{value:.4e}").parse::<f64>().ok().filter(|one| one.is_finite());
    let curve = |(run, all): &(u64, Vec<Vec<f64>>)| {
        let all = all.iter().map(|one| one.iter().map(rounded).collect::<Vec<_>>());
        json!([run, all.collect::<Vec<_>>()])
    };
    let of_metric = |one: &SobolTable| json!([one.metric, one.indices]);
    let data = json!({
        "varied": varied,
        "metrics": metrics,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "curves": json!([curves.names, curves.period, curves.runs.iter().map(curve).collect::<Vec<_>>()]),
        "sobol": sobol.iter().map(of_metric).collect::<Vec<_>>(),
    });
    let facts = facts.iter().map(|(name, value)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>", partial_escape(name), partial_escape(value))
    });
    let title = partial_escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{}{}</style>\n</head>\n\
         <body>\n<header>\n<h1>{title}</h1>\n<dl class=\"facts\">{}</dl>\n</header>\n<noscript><p>This report needs \
         JavaScript. It loads nothing from the network.</p></noscript>\n<main></main>\n<script id=\"data\" \
         type=\"application/json\">{}</script>\n<script>\n{}{}</script>\n</body>\n</html>\n",
        include_str!("report/style.css"),
        include_str!("study/style.css"),
        facts.collect::<String>(),
        data.to_string().replace('<', "\\u003c"),
        CHART_SCRIPT,
        include_str!("study/script.js"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_all_rows_and_no_markup_of_them() {
        let row = StudyRow {
            run: 3,
            id: "0123456789abcdef".to_owned(),
            values: vec!["0.5".to_owned()],
            metrics: vec![Some(1.5), None],
            status: "fault".to_owned(),
            reason: "</script><b>".to_owned(),
        };
        let study = StudyTable {
            title: "a < b".to_owned(),
            facts: vec![("Runs".to_owned(), "1".to_owned())],
            varied: vec!["car/friction/mu".to_owned()],
            metrics: vec!["v [m/s]".to_owned(), "x".to_owned()],
            rows: vec![row],
            curves: CurveTable {
                names: vec!["v [m/s]".to_owned()],
                period: 0.5,
                runs: vec![(3, vec![vec![0.0, 1.234567, f64::NAN]])],
            },
            sobol: Vec::new(),
        };
        let page = study_report(&study);
        assert!(page.contains("<title>a &lt; b</title>"));
        assert!(page.contains("<dt>Runs</dt><dd>1</dd>"));
        let (_, data) = page.split_once("application/json\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        let expected =
            json!([3, "0123456789abcdef", ["0.5"], [1.5, null], "fault", "</script><b>"]);
        assert_eq!(data["rows"][0], expected);
        assert_eq!(data["curves"], json!([["v [m/s]"], 0.5, [[3, [[0.0, 1.2346, null]]]]]));
    }
}
