//! Search and order of the rows in the table of methods.

use crate::model::methods::Method;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Name,
    Time,
    Ratio,
    Error,
    Age,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MethodOrder {
    pub search: String,
    /// Sort column, and true for descending order. `None` means the usual order.
    pub by: Option<(Column, bool)>,
    held: Vec<Method>,
}

impl MethodOrder {
    /// The first click sorts ascending, the second descending, and the third restores the usual order.
    pub fn click(&mut self, column: Column) {
        self.by = match self.by {
            Some((now, is_reversed)) if now == column => (!is_reversed).then_some((column, true)),
            _ => Some((column, false)),
        };
        self.held.clear();
    }

    pub fn finds(&self, method: Method) -> bool {
        let search = self.search.to_lowercase();
        let mut words = search.split_whitespace();
        words.all(|word| method.name().contains(word))
    }

    /// Sorts exact methods first, then the others. In both groups, methods without a value come last. While the table
    /// `is_in_use`, rows stay in place, so that none moves away from the mouse.
    pub fn sort(
        &mut self,
        is_in_use: bool,
        value: impl Fn(Method, Column) -> Option<f64>,
    ) -> &[Method] {
        if is_in_use && !self.held.is_empty() {
            return &self.held;
        }
        self.held = Method::all().collect();
        if let Some((column, is_reversed)) = self.by {
            self.held
                .sort_by(|a, b| match (value(*a, column), value(*b, column)) {
                    (Some(a), Some(b)) if is_reversed => b.total_cmp(&a),
                    (Some(a), Some(b)) => a.total_cmp(&b),
                    (a, b) => b.is_some().cmp(&a.is_some()),
                });
        }
        self.held.sort_by_key(|method| !method.is_exact());
        &self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(method: Method, _: Column) -> Option<f64> {
        match method {
            Method::WaveTree => Some(1.0),
            Method::PixelLoop => Some(2.0),
            _ => None,
        }
    }

    #[test]
    fn rows_stay_while_the_table_is_in_use_but_for_a_click_on_a_title() {
        let turned = |method: Method, column: Column| time(method, column).map(|time| -time);
        let mut order = MethodOrder::default();
        order.click(Column::Time);
        let before = order.sort(true, time).to_vec();
        assert_eq!(before[0], Method::WaveTree);
        assert_eq!(order.sort(true, turned), before);
        assert_eq!(order.sort(false, turned)[0], Method::PixelLoop);
        order.click(Column::Time);
        assert_eq!(order.sort(true, turned)[0], Method::WaveTree);
    }
}
