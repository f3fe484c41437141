//! Contour lines of values on a grid, by marching squares.

use crate::report::drawing::Point;

/// The line segments on which a function is zero, between the points of a grid whose columns stand at
/// `x` and rows at `y`. `value(column, row)` is `None` where nothing is known: no line runs there.
pub fn zero(x: &[f64], y: &[f64], value: impl Fn(usize, usize) -> Option<f64>) -> Vec<[Point; 2]> {
    let mut segments = Vec::new();
    for row in 1..y.len() {
        for column in 1..x.len() {
            let corner = |dx: usize, dy: usize| {
                let (column, row) = (column - dx, row - dy);
                Some(([x[column], y[row]], value(column, row)?))
            };
            let corners = [corner(1, 1), corner(0, 1), corner(0, 0), corner(1, 0)];
            let [Some(a), Some(b), Some(c), Some(d)] = corners else {
                continue;
            };
            segments.extend(square([a, b, c, d]));
        }
    }
    segments
}

/// The segments inside one square, whose corners are given in order around it. Where the signs alternate, the
/// mean of the corners decides which of them are joined.
fn square(corners: [(Point, f64); 4]) -> Vec<[Point; 2]> {
    let edges = [0, 1, 2, 3].map(|i| [corners[i], corners[(i + 1) % 4]]);
    let crossings: Vec<Point> = edges.into_iter().filter_map(crossing).collect();
    match crossings[..] {
        [a, b] => vec![[a, b]],
        [a, b, c, d] => {
            let mean: f64 = corners.iter().map(|corner| corner.1).sum();
            // The corners whose sign is not that of the mean are cut off.
            if (mean > 0.0) == (corners[0].1 > 0.0) {
                vec![[a, b], [c, d]]
            } else {
                vec![[d, a], [b, c]]
            }
        }
        _ => Vec::new(),
    }
}

fn crossing([(from, a), (to, b)]: [(Point, f64); 2]) -> Option<Point> {
    if (a > 0.0) == (b > 0.0) {
        return None;
    }
    let part = a / (a - b);
    Some([0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: [f64; 4] = [0.0, 1.0, 2.0, 3.0];

    #[test]
    fn a_plane_is_zero_on_a_straight_line() {
        let segments = zero(&LINE, &LINE, |column, _| Some(column as f64 - 1.25));
        assert_eq!(segments.len(), 3);
        for point in segments.concat() {
            assert!((point[0] - 1.25).abs() < 1e-12);
        }
    }

    #[test]
    fn no_line_runs_where_nothing_changes_sign_or_nothing_is_known() {
        assert!(zero(&LINE, &LINE, |_, _| Some(1.0)).is_empty());
        assert!(zero(&LINE, &LINE, |_, _| Some(-1.0)).is_empty());
        let hole =
            |column: usize, row: usize| (column != 1 || row != 1).then_some(column as f64 - 1.25);
        assert_eq!(zero(&LINE, &LINE, hole).len(), 1);
    }

    #[test]
    fn a_saddle_joins_by_its_mean() {
        let line = [0.0, 1.0];
        let saddle = |lift: f64| {
            let value = move |column: usize, row: usize| {
                let sign = if column == row { 1.0 } else { -1.0 };
                Some(sign + lift)
            };
            zero(&line, &line, value)
        };
        // With the mean above zero, the corners below it are cut off: (1, 0) and (0, 1).
        let cut_off = saddle(0.5);
        assert_eq!(cut_off.len(), 2);
        for [a, b] in cut_off {
            let near = |corner: Point| {
                [a, b]
                    .iter()
                    .all(|p| (p[0] - corner[0]).abs() + (p[1] - corner[1]).abs() < 0.5)
            };
            assert!(near([1.0, 0.0]) || near([0.0, 1.0]), "{a:?} {b:?}");
        }
    }
}
