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

/// How the table is sorted, and which of its rows are searched for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MethodOrder {
    /// Words that the name of a method has to contain.
    pub search: String,
    /// By which column, and whether the greatest comes first. Without one, methods stand as in all lists.
    pub by: Option<(Column, bool)>,
    /// The rows as they were sorted last.
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

    /// Times of two methods; the others have none.
    fn time(method: Method, _: Column) -> Option<f64> {
        match method {
            Method::WaveTree => Some(1.0),
            Method::PixelLoop => Some(2.0),
            _ => None,
        }
    }

    #[test]
    fn a_title_sorts_both_ways_and_then_not_at_all_and_what_has_no_value_is_last() {
        let all: Vec<Method> = Method::all().collect();
        let [tree, pixel] = [Method::WaveTree, Method::PixelLoop];
        let mut order = MethodOrder::default();
        assert_eq!(order.sort(false, time), all);
        order.click(Column::Time);
        let sorted = order.sort(false, time);
        assert_eq!(
            (&sorted[..2], sorted.len()),
            (&[tree, pixel][..], all.len())
        );
        order.click(Column::Time);
        assert_eq!(order.sort(false, time)[..2], [pixel, tree]);
        order.click(Column::Time);
        assert_eq!(order.sort(false, time), all);
        order.click(Column::Time);
        order.click(Column::Age);
        assert_eq!(order.by, Some((Column::Age, false)), "another title");
    }

    #[test]
    fn exact_methods_stand_before_approximate_ones_whatever_the_table_is_sorted_by() {
        let mut order = MethodOrder::default();
        let faster = |method: Method, column| match method {
            Method::Average => Some(0.5),
            method => time(method, column),
        };
        order.click(Column::Time);
        let sorted = order.sort(false, faster);
        let exact = Method::exact().count();
        assert_eq!(
            [sorted[0], sorted[exact]],
            [Method::WaveTree, Method::Average]
        );
        assert!(sorted[..exact].iter().all(|method| method.is_exact()));
    }

    #[test]
    fn a_search_finds_names_that_contain_all_its_words() {
        let found = |search: &str| {
            let order = MethodOrder {
                search: search.to_owned(),
                ..MethodOrder::default()
            };
            let all = Method::all().filter(|method| order.finds(*method));
            all.map(Method::name).collect::<Vec<_>>()
        };
        assert_eq!(found(" ").len(), Method::all().count());
        assert_eq!(found("Ballot SCALAR"), ["wave-lerp-ballot-scalar"]);
        assert!(found("buffer").contains(&"k-buffer"));
        assert_eq!(found("no such method"), [""; 0]);
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
