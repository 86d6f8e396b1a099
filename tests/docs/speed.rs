//! The picture of speeds in the README shows the ratios of the page on performance.

use std::fmt::Write;

use super::pages;
use crate::support::golden;

/// Time of a step of MVSim divided by the time of simhost.
struct Ratio {
    vehicles: String,
    differential: f64,
    ackermann: f64,
}

/// Returns the rows of the first table that compare a step with MVSim.
fn ratios() -> Vec<Ratio> {
    let page = pages::book().into_iter().find(|page| page.name == "performance.md").unwrap();
    let rows = page.text.lines().filter(|line| line.starts_with("| step of "));
    let rows = rows.filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, work, "MVSim", ratio, ..] = cells.as_slice() else { return None };
        let vehicles = work.split_whitespace().nth(2)?.to_owned();
        let (differential, ackermann) = ratio.split_once(" / ")?;
        let (differential, ackermann) = (differential.parse().ok()?, ackermann.parse().ok()?);
        Some(Ratio { vehicles, differential, ackermann })
    });
    rows.collect()
}

fn bar(svg: &mut String, y: usize, label: &str, ratio: f64, colour: &str) {
    let width = 6.0 * ratio;
    let (text, end) = (y + 13, 185.0 + width);
    writeln!(svg, "<text x='172' y='{text}' text-anchor='end'>{label}</text>").unwrap();
    writeln!(svg, "<rect x='180' y='{y}' width='{width:.0}' height='17' fill='{colour}'/>")
        .unwrap();
    writeln!(svg, "<text x='{end:.0}' y='{text}'>{ratio}</text>").unwrap();
}

fn picture(ratios: &[Ratio]) -> String {
    let height = 50 + 50 * ratios.len();
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 620 {height}' \
         font-family='sans-serif' font-size='13'>\n\
         <rect width='620' height='{height}' fill='white'/>\n\
         <text x='310' y='24' font-size='15' text-anchor='middle'>\
         Time of a step of MVSim 1.2, relative to simhost</text>\n"
    );
    for (Ratio { vehicles, differential, ackermann }, y) in ratios.iter().zip((42..).step_by(50)) {
        bar(&mut svg, y, &format!("{vehicles} differential"), *differential, "#4477aa");
        bar(&mut svg, y + 20, &format!("{vehicles} Ackermann"), *ackermann, "#cc8844");
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_of_speeds_shows_the_table_of_performance() {
    let ratios = ratios();
    assert_eq!(ratios.len(), 3, "the page has another table");
    golden::picture("speed.svg", &picture(&ratios));
}
