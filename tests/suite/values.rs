//! The user's own numbers: a CSV file is read, or rejected with the faulty line.

use wavelerp::error::ErrorKind;
use wavelerp::runs::verify::values::{MOST_ROWS, parse};

use crate::harness::says;

/// Error message for a text.
fn refusal(text: &str) -> String {
    match parse(text, "numbers.csv") {
        Ok(values) => panic!("{text:?} was read as {values:?}"),
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::Usage, "{text:?}: {error}");
            error.message
        }
    }
}

#[test]
fn bad_rows_are_refused_with_their_line_number() {
    let cases = [
        ("value,t\n1,0.5\n2\n", 3, "1 of 2 fields"),
        ("value,t\n1,0.5,3\n", 2, "3 of 2 fields"),
        ("value,t\n1,\n", 2, "t is \"\""),
        ("r,g,b,t\n1,2,3,0.5\n\n1,2,0.5\n", 4, "3 of 4 fields"),
        ("value,t\n1,0.5\n1,half\n", 3, "t is \"half\""),
        ("value,t\none,0.5\n", 2, "value is \"one\""),
        ("value,t\nNaN,0.5\n", 2, "finite"),
        ("value,t\n1,nan\n", 2, "finite"),
        ("value,t\ninf,0.5\n", 2, "finite"),
        ("value,t\n1e39,0.5\n", 2, "finite"),
        ("r,g,b,t\n1,2,-inf,0.5\n", 2, "b is"),
        ("value,t\n1,1.0001\n", 2, "t is 1.0001"),
        ("value,t\n1,0.5\n1,0.5\n1,-0.1\n", 4, "within 0 to 1"),
        // Line numbers include empty lines, and any kind of line end works.
        ("value,t\r\n1,0.5\r\n1,x\r\n", 3, "\"x\""),
        ("value,t\r\n\r\n1,0.5\r\n\r\n\r\n1,x\r\n", 6, "\"x\""),
        ("value,t\n1,0.5\n1,x", 3, "\"x\""),
        ("\u{feff}value,t\n1,0.5\n1,x\n", 3, "\"x\""),
    ];
    for (text, line, what) in cases {
        let message = refusal(text);
        let place = format!("numbers.csv:{line}: ");
        assert!(message.starts_with(&place), "{text:?}: {message}");
        says(&message, what);
    }
    // If a column is missing, the message lists the columns.
    says(refusal("r,g,b,t\n1,2,0.5\n"), "r,g,b,t");
}

#[test]
fn a_wrong_header_is_refused_and_named() {
    for header in " t,value value r,g,b 1,0.5 value,t,x v,t R,G,B,T".split(' ') {
        let message = refusal(&format!("{header}\n1,0.5\n"));
        assert!(message.starts_with("numbers.csv:1: "), "{message}");
        says(&message, "header | \"value,t\" or \"r,g,b,t\"");
    }
}

#[test]
fn the_last_row_is_the_nearest_layer() {
    let values = parse("r,g,b,t\n1,2,3,0.25\n4,5,6,0.5\n", "").expect("valid values");
    assert!(!values.scalar);
    assert_eq!(values.layers[0].color, [4.0, 5.0, 6.0]);
    assert_eq!(values.layers[0].opacity, 0.5);
    assert_eq!(values.layers[1].color, [1.0, 2.0, 3.0]);
    assert_eq!(values.layers[1].opacity, 0.25);
}

#[test]
fn good_files_of_every_kind_are_taken() {
    for text in [
        "value,t\n1,0\n-2e3,1\n",
        "value,t\r\n1,0\r\n-2e3,1\r\n",
        " value , t \n 1 , 0 \n\n -2e3, 1",
        "\u{feff}value,t\n1,0\n-2e3,1\n",
        "\"value\",\"t\"\n\"1\",\"0\"\n-2e3,1\n",
    ] {
        let values = parse(text, "").expect("valid values");
        assert!(values.scalar, "{text:?}");
        let rows: Vec<_> = values.layers.iter().map(|l| (l.color, l.opacity)).collect();
        assert_eq!(rows, [([-2000.0; 3], 1.0), ([1.0; 3], 0.0)], "{text:?}");
    }
    assert_eq!(parse("value,t\n", "").expect("no rows").layers, []);
    assert_eq!(parse("r,g,b,t", "").expect("no rows").layers, []);
}

#[test]
fn a_million_rows_are_taken_and_one_more_is_refused() {
    let mut text = "value,t\n".to_owned() + &"1,0.5\n".repeat(MOST_ROWS);
    let values = parse(&text, "numbers.csv").expect("a file at the limit is accepted");
    assert_eq!(values.layers.len(), 1_000_000);
    text += "1,0.5\n";
    let message = refusal(&text);
    assert!(message.starts_with("numbers.csv:1000002: "), "{message}");
}
