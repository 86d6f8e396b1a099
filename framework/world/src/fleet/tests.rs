use super::matches;

#[test]
fn stars_and_question_marks_match_letters() {
    for (pattern, name, expected) in [
        ("r1", "r1", true),
        ("r1", "r11", false),
        ("r*", "r", true),
        ("r*", "robot7", true),
        ("*7", "robot77", true),
        ("*o*t?", "robot7", true),
        ("*o*t?", "robot", false),
        ("r?", "r", false),
        ("r??", "r1ä", true),
        ("*", "", true),
        ("", "", true),
        ("", "a", false),
        ("a*b*c", "aXbYbZc", true),
        ("a*b*c", "aXbYbZ", false),
        ("**", "x/y", true),
    ] {
        assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
    }
}
