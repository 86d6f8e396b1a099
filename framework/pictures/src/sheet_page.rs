//! The data sheet of a vehicle as one HTML page.

use quick_xml::escape::partial_escape;

use crate::plot::draw_lines;

/// Content of the page.
#[derive(Clone, Debug, Default)]
pub struct SheetPage {
    /// Title.
    pub title: String,
    /// Names and values at the head of the page.
    pub facts: Vec<(String, String)>,
    /// Tables of values.
    pub tables: Vec<SheetTable>,
    /// Charts.
    pub charts: Vec<SheetChart>,
}

/// A table of values.
#[derive(Clone, Debug, Default)]
pub struct SheetTable {
    /// Heading.
    pub title: String,
    /// Name, value and unit of each row; the reason in place of a missing value.
    pub rows: Vec<[String; 3]>,
}

/// A chart of lines.
#[derive(Clone, Debug, Default)]
pub struct SheetChart {
    /// Heading.
    pub title: String,
    /// Labels of the horizontal and of the vertical axis, with units.
    pub axes: [String; 2],
    /// Names and points of the lines.
    pub lines: Vec<(String, Vec<[f64; 2]>)>,
}

/// Returns the page. It needs no script and loads nothing from the network.
pub fn sheet_page(page: &SheetPage) -> String {
    let facts = page.facts.iter().map(|(name, value)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>", partial_escape(name), partial_escape(value))
    });
    let title = partial_escape(&page.title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{}\
         svg {{ width: 100%; height: auto; }}\n</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n\
         <dl class=\"facts\">{}</dl>\n</header>\n<main>\n{}{}</main>\n</body>\n</html>\n",
        include_str!("report/style.css"),
        facts.collect::<String>(),
        page.tables.iter().map(table).collect::<String>(),
        page.charts.iter().map(chart).collect::<String>(),
    )
}

fn table(table: &SheetTable) -> String {
    let cell = |text: &String| format!("<td>{}</td>", partial_escape(text));
    let row =
        |row: &[String; 3]| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>());
    format!(
        "<section>\n<h2>{}</h2>\n<table>\n{}</table>\n</section>\n",
        partial_escape(&table.title),
        table.rows.iter().map(row).collect::<String>()
    )
}

fn chart(chart: &SheetChart) -> String {
    let [x, y] = &chart.axes;
    let svg = draw_lines(x, y, &chart.lines).svg();
    // a prolog is not allowed within a page
    let svg = svg.find("<svg").map_or("", |start| &svg[start..]);
    format!("<section>\n<h2>{}</h2>\n{svg}\n</section>\n", partial_escape(&chart.title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_values_and_charts_and_no_markup_of_them() {
        let page = sheet_page(&SheetPage {
            title: "a < b".to_owned(),
            facts: vec![("Speed".to_owned(), "80 km/h".to_owned())],
            tables: vec![SheetTable {
                title: "Mass".to_owned(),
                rows: vec![["mass".to_owned(), "<1500>".to_owned(), "kg".to_owned()]],
            }],
            charts: vec![SheetChart {
                title: "F".to_owned(),
                axes: ["slip (1)".to_owned(), "force (N)".to_owned()],
                lines: vec![("4000 N".to_owned(), vec![[0.0, 0.0], [1.0, 500.0]])],
            }],
        });
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("<dt>Speed</dt>"));
        assert!(page.contains("<td>&lt;1500"), "{page}");
        assert_eq!(page.matches("<svg").count(), 1);
        assert!(page.contains("4000 N") && !page.contains("<?xml") && !page.contains("<script"));
    }
}
