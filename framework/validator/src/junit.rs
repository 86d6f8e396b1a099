//! Results as JUnit XML for build servers.

use std::io::Result;
use std::time::Duration;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::instance::{Failure, Verdict};
use crate::run::ReportLine;

/// A test suite.
#[derive(Clone, Debug)]
pub struct JunitSuite {
    /// Name.
    pub name: String,
    /// The tests.
    pub cases: Vec<JunitCase>,
}

/// A test that has passed or failed.
#[derive(Clone, Debug)]
pub struct JunitCase {
    /// Name.
    pub name: String,
    /// Duration.
    pub took: Duration,
    /// The finding of a test that has failed.
    pub failure: Option<String>,
}

/// Writes one test suite per subject.
pub fn junit(lines: &[ReportLine]) -> Result<String> {
    document("simhost plugin check", lines, |writer| {
        for suite in lines.chunk_by(|one, next| one.subject == next.subject) {
            write_suite(writer, suite)?;
        }
        Ok(())
    })
}

/// Writes test suites.
pub fn junit_of(name: &str, suites: &[JunitSuite]) -> Result<String> {
    let lines = |suite: &JunitSuite| -> Vec<(String, Duration, Verdict)> {
        let case = |case: &JunitCase| {
            let failure = case.failure.clone().map(|what| Failure { what, ..Failure::default() });
            let verdict = failure.map_or(Verdict::Pass, Verdict::Fail);
            (case.name.clone(), case.took, verdict)
        };
        suite.cases.iter().map(case).collect()
    };
    let all: Vec<_> = suites.iter().flat_map(lines).collect();
    document(name, &all, |writer| {
        for suite in suites {
            let lines = lines(suite);
            element(writer, "testsuite", &suite.name, &lines, |writer| {
                lines.iter().try_for_each(|(name, took, verdict)| {
                    write_case(writer, [name, &suite.name], *took, verdict)
                })
            })?;
        }
        Ok(())
    })
}

/// Has a verdict.
trait Judged {
    fn verdict(&self) -> &Verdict;
}

impl Judged for ReportLine {
    fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

impl Judged for (String, Duration, Verdict) {
    fn verdict(&self) -> &Verdict {
        &self.2
    }
}

type To = Writer<Vec<u8>>;

fn document<T: Judged>(
    name: &str,
    lines: &[T],
    write: impl FnOnce(&mut To) -> Result<()>,
) -> Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    element(&mut writer, "testsuites", name, lines, write)?;
    let mut text = writer.into_inner();
    text.push(b'\n');
    String::from_utf8(text).map_err(std::io::Error::other)
}

/// Writes an element with the number of its tests.
fn element<T: Judged>(
    writer: &mut To,
    tag: &str,
    name: &str,
    lines: &[T],
    write: impl FnOnce(&mut To) -> Result<()>,
) -> Result<()> {
    let count = |is: fn(&Verdict) -> bool| lines.iter().filter(|line| is(line.verdict())).count();
    let failures = count(|verdict| matches!(verdict, Verdict::Fail(_)));
    let skipped = count(|verdict| matches!(verdict, Verdict::Skip { .. }));
    let mut start = BytesStart::new(tag);
    start.push_attribute(("name", name));
    start.push_attribute(("tests", lines.len().to_string().as_str()));
    start.push_attribute(("failures", failures.to_string().as_str()));
    start.push_attribute(("skipped", skipped.to_string().as_str()));
    writer.write_event(Event::Start(start))?;
    write(writer)?;
    writer.write_event(Event::End(BytesEnd::new(tag)))
}

fn write_suite(writer: &mut To, lines: &[ReportLine]) -> Result<()> {
    let name = lines[0].subject.name();
    element(writer, "testsuite", &name, lines, |writer| {
        lines
            .iter()
            .try_for_each(|line| write_case(writer, [line.test, &name], line.took, &line.verdict))
    })
}

fn write_case(
    writer: &mut To,
    [name, class]: [&str; 2],
    took: Duration,
    verdict: &Verdict,
) -> Result<()> {
    let mut case = BytesStart::new("testcase");
    case.push_attribute(("name", name));
    case.push_attribute(("classname", class));
    case.push_attribute(("time", format!("{:.3}", took.as_secs_f64()).as_str()));
    writer.write_event(Event::Start(case))?;
    write_verdict(writer, verdict)?;
    writer.write_event(Event::End(BytesEnd::new("testcase")))
}

fn write_verdict(writer: &mut To, verdict: &Verdict) -> Result<()> {
    match verdict {
        Verdict::Pass => Ok(()),
        Verdict::Skip { reason } => {
            let mut skipped = BytesStart::new("skipped");
            skipped.push_attribute(("message", reason.as_str()));
            writer.write_event(Event::Empty(skipped))
        }
        Verdict::Fail(Failure { what, input, seed, .. }) => {
            let mut failure = BytesStart::new("failure");
            failure.push_attribute(("message", what.as_str()));
            writer.write_event(Event::Start(failure))?;
            let seed = seed.map(|seed| format!("seed {seed}\n")).unwrap_or_default();
            let text = format!("{seed}{}", input.clone().unwrap_or_default());
            writer.write_event(Event::Text(BytesText::new(&text)))?;
            writer.write_event(Event::End(BytesEnd::new("failure")))
        }
    }
}
