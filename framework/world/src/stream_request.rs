//! Streams that the command line or a program groups in addition to the streams of the world.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A stream of quantities in one line: `NAME=PATTERN,PATTERN@RATE` with a rate in Hz, which can be left
/// out. It does the same as a `<stream>` of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamRequest {
    /// The whole text.
    pub(crate) text: String,
    /// Place of the name in the text.
    pub(crate) name: Range<usize>,
    /// Places of the patterns in the text.
    pub(crate) patterns: Vec<Range<usize>>,
    /// Time between samples, s.
    pub(crate) period: Option<f64>,
    /// Whether the patterns follow the patterns of `<record>` of the world. Then the stream is
    /// omitted if there are no patterns, and gets another name if its name is in use.
    pub(crate) is_record: bool,
}

impl StreamRequest {
    /// Returns the request for a stream `quantities` of what the world and further patterns record.
    pub fn of_record(patterns: &[String]) -> Self {
        let mut text = "quantities".to_owned();
        let name = 0..text.len();
        let patterns = patterns.iter().map(|pattern| {
            text.push(' ');
            let start = text.len();
            text.push_str(pattern);
            start..text.len()
        });
        let patterns = patterns.collect();
        Self { text, name, patterns, period: None, is_record: true }
    }
}

impl FromStr for StreamRequest {
    type Err = String;

    /// Returns a request.
    ///
    /// # Errors
    /// The reason, if the text does not have the form of a request, or the rate is not greater than 0.
    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str =
            "expected NAME=QUANTITY,…[@RATE], such as robot/drive=robot/wheel/*/spin@20";
        let (name, rest) = text.split_once('=').ok_or(FORM)?;
        let (patterns, rate) = match rest.rsplit_once('@') {
            Some((patterns, rate)) => (patterns, Some(rate)),
            None => (rest, None),
        };
        let period = rate.map(|rate| {
            let number = rate.trim().trim_end_matches("Hz").trim_end().parse::<f64>();
            let rate = number.ok().filter(|rate| *rate > 0.0 && rate.recip().is_normal());
            let found = || format!("the rate is `{}`", text.rsplit('@').next().unwrap_or_default());
            rate.map(f64::recip)
                .ok_or_else(|| format!("{}; expected a number greater than 0, in Hz", found()))
        });
        let is_empty = |name: &str| name.split('/').any(|part| part.trim().is_empty());
        if is_empty(name) || patterns.split(',').any(|pattern| pattern.trim().is_empty()) {
            return Err(FORM.to_owned());
        }
        let mut start = name.len() + 1;
        let ranges = patterns.split(',').map(|pattern| {
            let range = start..start + pattern.len();
            start = range.end + 1;
            trimmed(text, range)
        });
        let patterns = ranges.collect();
        let name = trimmed(text, 0..name.len());
        Ok(Self {
            text: text.to_owned(),
            name,
            patterns,
            period: period.transpose()?,
            is_record: false,
        })
    }
}

impl fmt::Display for StreamRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the part of a range without white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

#[cfg(test)]
mod tests {
    use super::StreamRequest;

    #[test]
    fn a_request_has_a_name_patterns_and_a_rate() {
        let request: StreamRequest = "robot/drive = a/*, b@20Hz".parse().expect("a request");
        let part = |range: &std::ops::Range<usize>| &request.text[range.clone()];
        assert_eq!(part(&request.name), "robot/drive");
        assert_eq!(request.patterns.iter().map(part).collect::<Vec<_>>(), ["a/*", "b"]);
        assert_eq!(request.period, Some(0.05));
        assert_eq!("a=b".parse::<StreamRequest>().expect("a request").period, None);
    }

    #[test]
    fn other_forms_are_errors() {
        for (text, part) in [
            ("", "expected NAME=QUANTITY"),
            ("a", "expected NAME=QUANTITY"),
            ("a=", "expected NAME=QUANTITY"),
            ("=b", "expected NAME=QUANTITY"),
            ("a//b=c", "expected NAME=QUANTITY"),
            ("a=b,,c", "expected NAME=QUANTITY"),
            ("a=b@0", "the rate is `0`; expected a number greater than 0"),
            ("a=b@-5", "the rate is `-5`"),
            ("a=b@x", "the rate is `x`"),
            ("a=b@inf", "the rate is `inf`"),
            ("a=b@NaN", "the rate is `NaN`"),
        ] {
            let error = text.parse::<StreamRequest>().expect_err("no request");
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
