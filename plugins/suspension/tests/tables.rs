//! Tables: derivatives, extrapolation, and files that are not tables.

use proptest::prelude::*;
use simhost_suspension::interpolation::Interpolation;
use simhost_suspension::kinematics_table::{KinematicsTable, Quantity, file};

/// Toe and spring length at three travels and two rack positions.
const TEXT: &str = "# measured on a rig
travel, rack, toe_in_deg, spring_length
-0.08, -0.03, -9.0, 0.52
-0.08,  0.03,  9.5, 0.53
 0.00, -0.03, -8.0, 0.45
 0.00,  0.03,  8.0, 0.46
 0.08, -0.03, -7.5, 0.37
 0.08,  0.03,  7.0, 0.38
";

fn error(text: &str) -> String {
    file::parse(text).unwrap_err().to_string()
}

/// Returns the error for the table with a part replaced.
fn broken(part: &str, by: &str) -> String {
    assert!(TEXT.contains(part));
    error(&TEXT.replacen(part, by, 1))
}

#[test]
fn errors_name_line_and_column() {
    assert_eq!(
        broken("-8.0, 0.45", "NaN, 0.45"),
        "line 5, column `toe_in_deg`: found 'NaN', expected a finite number"
    );
    assert_eq!(
        broken("\n 0.08, -0.03", "\n-0.02, -0.03"),
        "line 7, column `travel`: found -0.02 after 0, expected increasing values; sort the rows"
    );
    assert_eq!(
        broken(" 0.03,  8.0", " 0.02,  8.0"),
        "line 6, column `rack`: found 0.02, expected 0.03 as for the first `travel`; make the table \
         rectangular"
    );
    assert_eq!(
        broken(" 0.00,  0.03,  8.0, 0.46\n", ""),
        "line 6, column `travel`: found 0.08 after 1 rows with 0, expected 2 rows for each value as for the \
         first; make the table rectangular"
    );
    assert_eq!(
        broken("-0.08,  0.03", "-0.08, -0.05"),
        "line 4, column `rack`: found -0.05 after -0.03, expected increasing values; sort the rows"
    );
    assert_eq!(
        broken(" 0.08,  0.03,  7.0, 0.38\n", ""),
        "line 7, column `rack`: the last `travel` has 1 rows, expected 2 as for the first; add the \
         missing rows"
    );
    assert_eq!(broken(", 0.38", ""), "line 8: found 3 cells, expected 4");
}

#[test]
fn errors_of_the_header_name_the_columns() {
    assert!(
        broken("toe_in_deg", "toe")
            .starts_with("line 2: unknown column `toe`, expected travel, rack, ")
    );
    assert_eq!(
        broken("travel,", "rack,"),
        "line 2: columns `rack` and `rack` have the same content; remove one"
    );
    assert_eq!(
        broken("spring_length", "toe_in"),
        "line 2: columns `toe_in_deg` and `toe_in` have the same content; remove one"
    );
    assert_eq!(
        error("rack,camber\n"),
        "line 1: missing `travel`, expected a column with this name"
    );
    assert_eq!(error("# nothing\n"), "is empty, expected a line with the names of the columns");
    assert_eq!(error("travel,camber\n0,0\n"), "has less than two values of `travel`; add rows");
}

#[test]
fn tables_without_rack_depend_on_travel_only() {
    let points = file::parse("travel,camber\n-0.1,0.02\n0,0\n0.1,-0.03\n").unwrap();
    let table = KinematicsTable::new(points, Interpolation::Monotone);
    let [one, other] = [-0.05, 0.05].map(|rack| table.at(0.04, rack)[Quantity::Camber as usize]);
    assert!((one.value - other.value).abs() < 1e-16);
    assert_eq!(one.by[1], 0.0);
    assert!(table.has(Quantity::Camber) && !table.has(Quantity::Toe));
}

proptest! {
    #[test]
    fn derivatives_of_tables_equal_differences(travel in -0.15..0.15_f64, rack in -0.06..0.06_f64) {
        let points = file::parse(TEXT).unwrap();
        let table = KinematicsTable::new(points, Interpolation::Monotone);
        let value = |travel, rack| table.at(travel, rack)[Quantity::Toe as usize].value;
        let h = 1e-6;
        let by = table.at(travel, rack)[Quantity::Toe as usize].by;
        let by_travel = (value(travel + h, rack) - value(travel - h, rack)) / (2.0 * h);
        let by_rack = (value(travel, rack + h) - value(travel, rack - h)) / (2.0 * h);
        // a measured point is where the third derivative jumps
        let tolerance = 1e-3;
        prop_assert!((by[0] - by_travel).abs() < tolerance, "{} {by_travel}", by[0]);
        prop_assert!((by[1] - by_rack).abs() < tolerance, "{} {by_rack}", by[1]);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z_,0-9.\\n #-]{0,200}") {
        _ = file::parse(&text);
        _ = file::parse(&format!("travel,camber\n{text}"));
    }
}
