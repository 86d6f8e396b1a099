//! Surfaces in closed form, written in all data formats, and files that are wrong.

use std::fmt::Write as _;

use simhost_scene::HeightField;

use super::{CrgOptions, from_bytes};
use crate::{Limits, Problem};

const OPTIONS: CrgOptions = CrgOptions { resolution: None, offset: [0.0; 3] };

/// A file.
struct Written<'w> {
    /// Lines of `$ROAD_CRG`.
    road: &'w str,
    /// Lines with channels.
    channels: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Written<'_> {
    fn head(&self, form: &str) -> String {
        let channels: String =
            self.channels.iter().map(|channel| format!("D:{channel} ! a channel\n")).collect();
        let Self { road, .. } = self;
        format!(
            "$CT\n a road of the tests\n$\n$ROAD_CRG ! parameters\n* a comment\n{road}$\n$KD_DEFINITION\n#:{form}\n\
             U:reference line u,m,0,1\n{channels}$\n{}\n",
            "$".repeat(80)
        )
    }

    /// Writes the data in a format: in binary up to a multiple of a record of 80 bytes, in ASCII with a record for each row.
    fn bytes(&self, form: &str) -> Vec<u8> {
        let mut bytes = self.head(form).into_bytes();
        let numbers = || self.rows.iter().flatten();
        let start = bytes.len();
        match form {
            "KRBI" => numbers().for_each(|one| bytes.extend((*one as f32).to_be_bytes())),
            "KDBI" => numbers().for_each(|one| bytes.extend(one.to_be_bytes())),
            _ => {
                let width = if form == "LRFI" { 10 } else { 20 };
                let mut text = String::new();
                for row in &self.rows {
                    for (number, one) in row.iter().enumerate() {
                        if number > 0 && number % (80 / width) == 0 {
                            text.push('\n');
                        }
                        match one.is_nan() {
                            true => drop(write!(text, "{:*>width$}", "nan")),
                            false => drop(write!(text, "{one:width$.0$}", width - 5)),
                        }
                    }
                    text.push('\n');
                }
                bytes.extend(text.into_bytes());
            }
        }
        let nan = if form == "KRBI" {
            f32::NAN.to_be_bytes().to_vec()
        } else {
            f64::NAN.to_be_bytes().to_vec()
        };
        while form.starts_with('K') && !(bytes.len() - start).is_multiple_of(80) {
            bytes.extend(&nan);
        }
        bytes
    }

    fn field(&self, form: &str, options: &CrgOptions) -> Result<HeightField, Problem> {
        from_bytes(&self.bytes(form), &Limits::default())?.to_field(options, &Limits::default())
    }
}

/// Returns the channels of columns by number.
fn numbered(first: &[&str], count: usize) -> Vec<String> {
    let columns = (1..=count).map(|number| format!("long section {number},m"));
    first.iter().map(|one| (*one).to_owned()).chain(columns).collect()
}

/// Calls `check` with x, y and the height of all samples.
fn each(field: &HeightField, mut check: impl FnMut(f64, f64, f64)) {
    let ([rows, columns], corner) = (field.size(), field.corner());
    for row in 0..rows {
        for column in 0..columns {
            let at = |axis: usize, index: usize| corner[axis] + field.resolution() * index as f64;
            check(at(0, row), at(1, column), field.height(row, column).unwrap());
        }
    }
}

/// A surface that is linear in u and in v, as the grid interpolates it.
fn bilinear(u: f64, v: f64) -> f64 {
    0.02 * u - 0.05 * v + 0.01 * u * v
}

fn straight() -> Written<'static> {
    let rows = (0..=20).map(|row| {
        let columns =
            (0..9).map(|column| bilinear(0.5 * f64::from(row), 0.25 * f64::from(column) - 1.0));
        columns.collect()
    });
    Written {
        road: "REFERENCE_LINE_START_U = 0\nREFERENCE_LINE_END_U = 10\nREFERENCE_LINE_INCREMENT = 0.5\n\
               LONG_SECTION_V_RIGHT = -1.0\nLONG_SECTION_V_LEFT = 1.0\nLONG_SECTION_V_INCREMENT = 0.25\n",
        channels: numbered(&[], 9),
        rows: rows.collect(),
    }
}

#[test]
fn a_straight_road_has_its_heights_in_every_format() {
    for (form, tolerance) in [("LRFI", 1e-5), ("LDFI", 1e-7), ("KRBI", 1e-7), ("KDBI", 1e-7)] {
        let field = straight().field(form, &OPTIONS).unwrap();
        assert_eq!(
            (field.corner(), field.size(), field.resolution()),
            ([0.0, -1.0], [41, 9], 0.25)
        );
        each(&field, |x, y, z| {
            assert!((z - bilinear(x, y)).abs() < tolerance, "{form} at {x}, {y}: {z}");
        });
    }
    let options = CrgOptions { resolution: Some(0.5), offset: [100.0, 20.0, 3.0] };
    let field = straight().field("KDBI", &options).unwrap();
    assert_eq!((field.corner(), field.size()), ([100.0, 19.0], [21, 5]));
    each(&field, |x, y, z| assert!((z - 3.0 - bilinear(x - 100.0, y - 20.0)).abs() < 1e-6));
}

#[test]
fn columns_at_positions_need_not_be_evenly_spaced() {
    let places = [-2.0, -0.5, 0.0, 0.1, 3.0];
    let section = |v: &f64| format!("long section at v = {v:.3},m");
    let mut file = straight();
    file.road = "reference_line_increment = 0.5\n";
    file.channels = places.iter().map(section).collect();
    // the order of the channels is free
    file.channels.reverse();
    let row = |row: i32| places.iter().rev().map(move |v| bilinear(0.5 * f64::from(row), *v));
    file.rows = (0..=20).map(|number| row(number).collect()).collect();
    let field = file.field("LDFI", &OPTIONS).unwrap();
    assert_eq!((field.corner(), field.size()), ([0.0, -2.0], [101, 51]));
    each(&field, |x, y, z| assert!((z - bilinear(x, y)).abs() < 1e-6, "{x} {y} {z}"));
}

#[test]
fn a_turned_road_has_its_heights_along_its_line() {
    let mut file = straight();
    let (sin, cos) = 0.3_f64.sin_cos();
    let road =
        format!("{}REFERENCE_LINE_START_PHI = 0.3\nREFERENCE_LINE_START_X = 50\n", file.road);
    file.road = &road;
    let field = file.field("KDBI", &OPTIONS).unwrap();
    let mut inside = 0;
    each(&field, |x, y, z| {
        let [u, v] = [(x - 50.0) * cos + y * sin, -(x - 50.0) * sin + y * cos];
        if (0.0..=10.0).contains(&u) && v.abs() <= 1.0 {
            assert!((z - bilinear(u, v)).abs() < 1e-6, "{u} {v} {z}");
            inside += 1;
        }
    });
    // 20 m² with 16 samples per m²
    assert!((300..340).contains(&inside), "{inside}");
}

#[test]
fn slope_and_banking_raise_the_surface() {
    // a slope of 4 % on the first half and −2 % on the second one, and banking that grows from 0 to 10 %
    let slope = |row: i32| if row <= 10 { 0.04 } else { -0.02 };
    let mut file = straight();
    file.channels = numbered(&["reference line slope,m/m", "reference line banking,m/m"], 9);
    let rows = file.rows.iter().enumerate().map(|(row, heights)| {
        // the slope of the first row has no meaning
        let slope = if row == 0 { f64::NAN } else { slope(row as i32) };
        [slope, 0.005 * row as f64].into_iter().chain(heights.iter().copied()).collect()
    });
    file.rows = rows.collect();
    let road = format!("{}REFERENCE_LINE_START_Z = 7\n", file.road);
    file.road = &road;
    let field = file.field("KDBI", &OPTIONS).unwrap();
    each(&field, |x, y, z| {
        let level = 7.0 + 0.04 * x.min(5.0) - 0.02 * (x - 5.0).max(0.0);
        let expected = level + 0.01 * x * y + bilinear(x, y);
        assert!((z - expected).abs() < 1e-5, "{x} {y}: {z}, expected {expected}");
    });
}

/// Returns an arc to the left around (0, 20) from the origin, with chords of 0.1 m, whose ends are on a circle.
fn arc(radius: f64) -> Written<'static> {
    let (step, count) = (0.1, 200);
    let turn = 2.0 * (0.5 * step / radius).asin();
    let rows = (0..=count).map(|row| {
        let u = step * f64::from(row);
        let heading = turn * (f64::from(row) - 0.5);
        let heights = (0..5).map(|column| 0.3 * (0.4 * u).sin() + 0.02 * (f64::from(column) - 2.0));
        [heading].into_iter().chain(heights).collect()
    });
    Written {
        road: "REFERENCE_LINE_INCREMENT = 0.1\nLONG_SECTION_V_RIGHT = -2\nLONG_SECTION_V_INCREMENT = 1\n\
               REFERENCE_LINE_START_B = 0.05\n",
        channels: numbered(&["reference line phi,rad"], 5),
        rows: rows.collect(),
    }
}

#[test]
fn a_curve_has_its_heights_along_the_arc() {
    let radius = 20.0;
    let field = arc(radius).field("KDBI", &OPTIONS).unwrap();
    let (mut inside, mut largest) = (0, 0.0_f64);
    each(&field, |x, y, z| {
        // polar coordinates around the centre of the circle
        let (from, angle) = (x.hypot(radius - y), x.atan2(radius - y));
        let [u, v] = [radius * angle, radius - from];
        if (0.01..=19.99).contains(&u) && v.abs() <= 1.99 {
            let expected = 0.3 * (0.4 * u).sin() + 0.02 * v + 0.05 * v;
            largest = largest.max((z - expected).abs());
            inside += 1;
        }
    });
    // 80 m² with 100 samples per m²
    assert!((7800..8100).contains(&inside), "{inside}");
    // chords of 0.1 m are 0.1²/8/20 m from the arc, and linear pieces of the sine 0.3 · 0.4² · 0.1²/8 m
    assert!(largest < 1e-4, "{largest}");
}

#[test]
fn the_end_of_the_line_spreads_the_error_of_its_headings() {
    let mut file = arc(20.0);
    let end = |shift: f64| {
        let angle = 200.0 * 2.0 * (0.05_f64 / 20.0).asin();
        let (x, y) = (20.0 * angle.sin() + shift, 20.0 - 20.0 * angle.cos());
        format!("{}REFERENCE_LINE_END_X = {x}\nREFERENCE_LINE_END_Y = {y}\n", arc(20.0).road)
    };
    let exact = end(0.0);
    file.road = &exact;
    let road = from_bytes(&file.bytes("KDBI"), &Limits::default()).unwrap();
    let shifted = end(0.1);
    file.road = &shifted;
    let other = from_bytes(&file.bytes("KDBI"), &Limits::default()).unwrap();
    for (row, (a, b)) in road.line.iter().zip(&other.line).enumerate() {
        assert!((b[0] - a[0] - 0.1 * row as f64 / 200.0).abs() < 1e-9);
    }
    let far = end(1.0);
    file.road = &far;
    let error = from_bytes(&file.bytes("KDBI"), &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("misses the position of its end in the header by 1.000 m"), "{error}");
}

#[test]
fn missing_heights_at_the_borders_are_the_nearest_ones() {
    let mut file = straight();
    for row in 0..=20 {
        file.rows[row][0] = f64::NAN;
        file.rows[row][7] = f64::NAN;
        file.rows[row][8] = f64::NAN;
    }
    for form in ["LRFI", "LDFI", "KRBI", "KDBI"] {
        let field = file.field(form, &OPTIONS).unwrap();
        each(&field, |x, y, z| {
            assert!((z - bilinear(x, y.clamp(-0.75, 0.5))).abs() < 1e-5, "{form} {x} {y} {z}");
        });
    }
    file.rows[3][4] = f64::NAN;
    let error = file.field("KDBI", &OPTIONS).unwrap_err().to_string();
    assert!(error.contains("row 4 has a missing height between others"), "{error}");
    file.rows[3].fill(f64::NAN);
    assert!(file.field("LDFI", &OPTIONS).unwrap_err().to_string().contains("row 4 has no height"));
}

#[test]
fn the_surroundings_of_a_road_have_the_heights_of_its_border() {
    let mut file = straight();
    let road = format!("{}REFERENCE_LINE_START_PHI = {}\n", file.road, std::f64::consts::FRAC_PI_4);
    file.road = &road;
    file.rows.iter_mut().for_each(|row| row.fill(2.5));
    let field = file.field("KDBI", &OPTIONS).unwrap();
    each(&field, |_, _, z| assert_eq!(z, 2.5));
}

fn refused(change: impl Fn(&mut String)) -> String {
    let mut text = String::from_utf8(straight().bytes("LDFI")).unwrap();
    change(&mut text);
    let read = from_bytes(text.as_bytes(), &Limits::default());
    read.and_then(|road| road.to_field(&OPTIONS, &Limits::default())).unwrap_err().to_string()
}

#[test]
fn mistakes_name_the_line() {
    let replace = |from: &'static str, to: &'static str| {
        refused(move |text| {
            assert!(text.contains(from), "{from}");
            *text = text.replacen(from, to, 1);
        })
    };
    for (from, to, part) in [
        (
            "INCREMENT = 0.5",
            "INCREMENT = half",
            "line 8: `reference_line_increment` is `half`; expected a number",
        ),
        ("END_U = 10", "END_U = 12", "line 7: found 21 rows in the data; expected 25 up to 12 m"),
        ("END_U = 10", "OFFSET_X = 10", "line 7: reference_line_offset_x = 10 is not supported"),
        ("INCREMENT = 0.5", "INCREMENT = 0", "the distance of rows is 0 m"),
        (
            "#:LDFI",
            "#:LRBI",
            "line 14: the data format is `LRBI`; expected LRFI, LDFI, KRBI or KDBI",
        ),
        (
            "D:long section 3,m",
            "D:long section 3,ft",
            "line 18: unknown channel `long section 3,ft`",
        ),
        ("D:long section 3,m", "D:long section 2,m", "line 18: a second channel `long section 2`"),
        (
            "D:long section 9,m",
            "D:long section 10,m",
            "found `long section 10` in place of `long section 9`",
        ),
        (
            "V_LEFT = 1.0",
            "V_LEFT = 2.0",
            "line 10: long_section_v_left is 2; the last column is at 1",
        ),
        (
            "$KD_DEFINITION",
            "$ROAD_CRG_MODS\nSCALE_Z = 2\n$\n$KD_DEFINITION",
            "line 14: the modifier `SCALE_Z = 2` is not supported",
        ),
        (
            "$KD_DEFINITION",
            "$ROAD_CRG_OPTS\nBORDER_MODE_U = 3\n$\n$KD_DEFINITION",
            "line 14: the option border_mode_u = 3 is not supported",
        ),
        (
            "$KD_DEFINITION",
            "$ROAD_CRG_FILE\n$\n$KD_DEFINITION",
            "line 13: a reference to another file is not supported",
        ),
        (
            "0.000000000000000",
            "0.0000000000000x0",
            "line 28: found `0.0000000000000x0`; expected a number",
        ),
    ] {
        let error = replace(from, to);
        assert!(error.contains(part), "{from} → {to}: {error}");
    }
    let cut = refused(|text| text.truncate(text.len() - 30));
    assert!(cut.contains("the data ends within a row") || cut.contains("found"), "{cut}");
    assert!(refused(|text| text.truncate(60)).contains("found no line of `$` before the data"));
    // binary data that end within a row
    let mut bytes = straight().bytes("KDBI");
    bytes.truncate(bytes.len() - 160);
    let error = from_bytes(&bytes, &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("the data ends within a row"), "{error}");
}

#[test]
fn roads_that_fold_or_are_too_large_are_refused() {
    let error = arc(1.5).field("KDBI", &OPTIONS).unwrap_err().to_string();
    assert!(error.contains("the road folds at u = 0.1 m"), "{error}");
    let options = CrgOptions { resolution: Some(1e-5), ..OPTIONS };
    let error = straight().field("KDBI", &options).unwrap_err().to_string();
    assert!(error.contains("write a coarser <resolution>"), "{error}");
    let options = CrgOptions { resolution: Some(-1.0), ..OPTIONS };
    assert!(straight().field("KDBI", &options).is_err());
}
