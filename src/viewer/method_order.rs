//! Which rows the table of methods has, and in which order. Pure.

use crate::model::methods::Method;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Name,
    Time,
    Ratio,
    Error,
    Age,
}

impl Column {
    /// What a click on its title does, to screen readers.
    pub fn sorts_by(self) -> &'static str {
        match self {
            Column::Name => "sort by method",
            Column::Time => "sort by composite time",
            Column::Ratio => "sort by ratio",
            Column::Error => "sort by error",
            Column::Age => "sort by age",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MethodOrder {
    /// Words that the name of a method has to contain.
    pub search: String,
    /// By which column, and whether the greatest comes first. Without one, methods stand as in all lists.
    pub by: Option<(Column, bool)>,
    held: Vec<Method>,
}

impl MethodOrder {
    /// After a click on a title: smallest first, at the next greatest first, at the third as in all lists.
    pub fn click(&mut self, column: Column) {
        self.by = match self.by {
            Some((now, is_reversed)) if now == column => (!is_reversed).then_some((column, true)),
            _ => Some((column, false)),
        };
        self.held.clear();
    }

    /// Whether a method is among those searched for.
    pub fn finds(&self, method: Method) -> bool {
        let search = self.search.to_lowercase();
        let mut words = search.split_whitespace();
        words.all(|word| method.name().contains(word))
    }

    /// Sorts the methods by their values in the column: exact ones first, and in both groups those without a value last.
    /// While the table `is_in_use`, rows stay where they are, so that none moves away from the mouse as times come in.
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
