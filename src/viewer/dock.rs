//! Layout of the window's panes as a tree of rows, columns and tabs, with a text form for presets.

use clap::ValueEnum;
use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

use super::view::Layout;

const MOST_SHARE: f32 = 1e4;

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ValueEnum,
)]
pub enum Pane {
    Picture,
    Methods,
    /// Called "Wave" in older presets and commands.
    #[serde(alias = "Wave")]
    #[value(alias = "wave")]
    Options,
    Scene,
    Files,
    Adapter,
    Frame,
    Compare,
    Probe,
    Errors,
    Code,
    Log,
}

impl Pane {
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    pub fn texts(self) -> (&'static str, &'static str) {
        match self {
            Pane::Picture => ("Picture", "The picture and the difference of A and B"),
            Pane::Methods => ("Methods", "All methods: A, B, times"),
            Pane::Options => ("Options", "How methods are compiled: dial, tail, hazard"),
            Pane::Scene => ("Scene", "Scene, camera, clock and layers"),
            Pane::Files => ("Files", "Pictures, command line, presets"),
            Pane::Adapter => (
                "Adapter",
                "The adapter, its driver, and the source of the shaders",
            ),
            Pane::Frame => ("Frame", "Times of the frame's passes, and its memory"),
            Pane::Compare => ("Compare", "The view of A and B, and their differences"),
            Pane::Probe => ("Probe", "The layers of one pixel, and each method's result"),
            Pane::Errors => (
                "Errors",
                "Error against time of the measured methods, and their Pareto front",
            ),
            Pane::Code => ("Code", "The compiled code of A and B"),
            Pane::Log => ("Log", "What happened"),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Arrangement {
    /// Methods, passes, and the picture with its difference.
    #[default]
    Compare,
    /// More room for passes and code.
    Profile,
    /// One picture, as large as the window allows.
    Picture,
}

impl Arrangement {
    /// Layout of the pictures in this arrangement. Keeps the layout `before` if it fits the arrangement.
    pub fn layout(self, before: Layout) -> Layout {
        match (self, before) {
            (Arrangement::Picture, _) => Layout::Single,
            (_, Layout::Single) => Layout::default(),
            _ => before,
        }
    }

    fn node(self) -> Node {
        use Node::{Column, Row, Tabs};
        use Pane::*;
        let left = |below: Vec<Pane>| {
            let above = Tabs(0, vec![Methods, Scene, Options, Files, Adapter]);
            Column(vec![(0.72, above), (0.28, Tabs(0, below))])
        };
        match self {
            Arrangement::Compare => {
                let below = vec![Frame, Compare, Probe, Errors, Code, Log];
                Row(vec![(0.31, left(below)), (0.69, Tabs(0, vec![Picture]))])
            }
            Arrangement::Profile => {
                let right = [(0.66, vec![Picture]), (0.34, vec![Compare, Probe])];
                let right = right.map(|(share, panes)| (share, Tabs(0, panes)));
                Row(vec![
                    (0.31, left(vec![Code, Errors, Log])),
                    (0.33, Tabs(0, vec![Frame])),
                    (0.36, Column(right.to_vec())),
                ])
            }
            Arrangement::Picture => Tabs(0, vec![Picture]),
        }
    }
}

/// A stored arrangement: a row or column with the size of each part, or tabs with one in front.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Node {
    Row(Vec<(f32, Node)>),
    Column(Vec<(f32, Node)>),
    Tabs(usize, Vec<Pane>),
}

impl Node {
    fn plant(&self, tiles: &mut Tiles<Pane>) -> TileId {
        let (direction, children) = match self {
            Node::Tabs(active, panes) => {
                let ids: Vec<TileId> = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
                let mut tabs = Tabs::new(ids.clone());
                tabs.active = ids.get(*active).or(ids.first()).copied();
                return tiles.insert_container(tabs);
            }
            Node::Row(children) => (LinearDir::Horizontal, children),
            Node::Column(children) => (LinearDir::Vertical, children),
        };
        let mut linear = Linear::new(direction, Vec::new());
        for (share, child) in children {
            let id = child.plant(tiles);
            linear.add_child(id);
            linear.shares.set_share(id, *share);
        }
        tiles.insert_container(linear)
    }

    /// The arrangement at `id`, with the first tabs in front unless `has_fronts` is true; `None` if no pane is left.
    fn of(tiles: &Tiles<Pane>, id: TileId, has_fronts: bool) -> Option<Self> {
        match tiles.get(id)? {
            Tile::Pane(pane) => Some(Node::Tabs(0, vec![*pane])),
            Tile::Container(Container::Tabs(tabs)) => {
                let mut panes = Vec::new();
                let mut active = 0;
                for child in &tabs.children {
                    if has_fronts && tabs.active == Some(*child) {
                        active = panes.len();
                    }
                    panes.extend(panes_below(tiles, *child));
                }
                (!panes.is_empty()).then_some(Node::Tabs(active, panes))
            }
            Tile::Container(container) => {
                let share = |id: TileId| match container {
                    Container::Linear(linear) => linear.shares[id],
                    _ => 1.0,
                };
                let children = container.children().copied();
                let children: Vec<(f32, Node)> = children
                    .filter_map(|child| Some((share(child), Node::of(tiles, child, has_fronts)?)))
                    .collect();
                let is_column = matches!(container, Container::Linear(linear) if linear.dir == LinearDir::Vertical);
                match (children.is_empty(), is_column) {
                    (true, _) => None,
                    (_, true) => Some(Node::Column(children)),
                    (_, false) => Some(Node::Row(children)),
                }
            }
        }
    }

    /// Rejects arrangements that a user cannot create, and adds the panes to `seen`.
    fn check(&self, seen: &mut Vec<Pane>) -> Result<()> {
        match self {
            Node::Tabs(_, panes) => {
                for pane in panes {
                    if seen.contains(pane) {
                        return Err(Error::usage(format!("{} appears twice", pane.name())));
                    }
                    seen.push(*pane);
                }
                Ok(())
            }
            Node::Row(children) | Node::Column(children) => {
                children.iter().try_for_each(|(share, child)| {
                    if !(*share > 0.0 && *share <= MOST_SHARE) {
                        return Err(Error::usage(format!(
                            "the share {share} is not between 0 and {MOST_SHARE}"
                        )));
                    }
                    child.check(seen)
                })
            }
        }
    }
}

/// An arrangement without the pane "Map" of older versions; `None` if it does not contain that pane.
pub fn without_map(text: &str) -> Option<String> {
    let is_there = text.contains("Map");
    is_there.then(|| {
        ["Map,", ",Map", "Map"]
            .iter()
            .fold(text.to_owned(), |text, map| text.replace(map, ""))
    })
}

fn id_of_tree() -> egui::Id {
    egui::Id::unique("panes")
}

fn panes_below(tiles: &Tiles<Pane>, id: TileId) -> Vec<Pane> {
    match tiles.get(id) {
        Some(Tile::Pane(pane)) => vec![*pane],
        Some(Tile::Container(container)) => {
            let children = container.children();
            children
                .flat_map(|child| panes_below(tiles, *child))
                .collect()
        }
        None => Vec::new(),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Dock {
    tree: Tree<Pane>,
}

impl Default for Dock {
    fn default() -> Self {
        Self::from(Arrangement::default())
    }
}

impl From<Arrangement> for Dock {
    fn from(arrangement: Arrangement) -> Self {
        Self::planted(&arrangement.node())
    }
}

impl Dock {
    fn planted(node: &Node) -> Self {
        let mut tiles = Tiles::default();
        let root = node.plant(&mut tiles);
        Self {
            tree: Tree::new(id_of_tree(), root, tiles),
        }
    }

    /// Parses the output of [`Dock::text`]. An empty text means the default arrangement.
    pub fn parse(text: &str) -> Result<Self> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let text = without_map(text).unwrap_or_else(|| text.to_owned());
        let node: Node = ron::from_str(&text).map_err(|error| Error::usage(error.to_string()))?;
        let mut seen = Vec::new();
        node.check(&mut seen)?;
        if !seen.contains(&Pane::Picture) {
            return Err(Error::usage("the picture pane is missing"));
        }
        Ok(Self::planted(&node))
    }

    fn node(&self, has_fronts: bool) -> Option<Node> {
        Node::of(&self.tree.tiles, self.tree.root()?, has_fronts)
    }

    pub fn text(&self) -> String {
        // Serialising enums and numbers cannot fail.
        self.node(true)
            .and_then(|node| ron::to_string(&node).ok())
            .unwrap_or_default()
    }

    /// The built-in arrangement in use. `None` if the user moved, resized or closed a pane.
    pub fn arrangement(&self) -> Option<Arrangement> {
        let node = self.node(false)?;
        let mut all = Arrangement::value_variants().iter().copied();
        all.find(|arrangement| arrangement.node() == node)
    }

    /// Moves the tree out until [`Dock::give_back`] returns it.
    pub fn take(&mut self) -> Tree<Pane> {
        std::mem::replace(&mut self.tree, Tree::empty(id_of_tree()))
    }

    pub fn give_back(&mut self, tree: Tree<Pane>) {
        self.tree = tree;
    }

    pub fn open(&mut self, pane: Pane) {
        if self.tree.tiles.find_pane(&pane).is_none() {
            let id = self.tree.tiles.insert_pane(pane);
            let home = self.home_of_the_returning();
            match home.and_then(|home| self.tree.tiles.get_mut(home)) {
                Some(Tile::Container(container)) => container.add_child(id),
                _ => self.beside_everything(id),
            }
        }
        self.tree
            .make_active(|_, tile| matches!(tile, Tile::Pane(here) if *here == pane));
    }

    /// The largest group of tabs without the picture.
    fn home_of_the_returning(&self) -> Option<TileId> {
        let tabs = self.tree.tiles.iter().filter_map(|(id, tile)| match tile {
            Tile::Container(Container::Tabs(tabs)) => {
                let panes = panes_below(&self.tree.tiles, *id);
                (!panes.contains(&Pane::Picture)).then_some((tabs.children.len(), *id))
            }
            _ => None,
        });
        tabs.max_by_key(|(count, id)| (*count, id.0))
            .map(|(_, id)| id)
    }

    fn beside_everything(&mut self, id: TileId) {
        let tabs = self.tree.tiles.insert_tab_tile(vec![id]);
        let root = match self.tree.root() {
            Some(root) => {
                let mut row = Linear::new(LinearDir::Horizontal, vec![tabs, root]);
                row.shares.set_share(tabs, 0.3);
                row.shares.set_share(root, 0.7);
                self.tree.tiles.insert_container(row)
            }
            None => tabs,
        };
        let tiles = std::mem::take(&mut self.tree.tiles);
        self.tree = Tree::new(id_of_tree(), root, tiles);
    }

    /// Closes a pane other than the picture.
    pub fn close(&mut self, pane: Pane) {
        let id = self.tree.tiles.find_pane(&pane);
        if let Some(id) = id.filter(|_| pane != Pane::Picture) {
            self.tree.remove_recursively(id);
        }
    }

    pub fn has(&self, pane: Pane) -> bool {
        self.tree.tiles.find_pane(&pane).is_some()
    }

    /// True if a pane is open and not behind another tab.
    pub fn shows(&self, pane: Pane) -> bool {
        let id = self.tree.tiles.find_pane(&pane);
        id.is_some_and(|id| self.tree.active_tiles().contains(&id))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn every_arrangement_but_picture_has_every_pane_and_shows_picture_methods_and_times() {
        let all = Pane::value_variants();
        let alone = Dock::from(Arrangement::Picture);
        let has = |pane: &&Pane| alone.has(**pane);
        assert!(all.iter().filter(has).eq(&[Pane::Picture]));
        for arrangement in [Arrangement::Compare, Arrangement::Profile] {
            let dock = Dock::from(arrangement);
            assert!(all.iter().all(|pane| dock.has(*pane)), "{arrangement:?}");
            for pane in [Pane::Picture, Pane::Methods, Pane::Frame] {
                assert!(dock.shows(pane), "{arrangement:?} hides {pane:?}");
            }
        }
    }

    #[test]
    fn an_arrangement_comes_back_from_its_text() {
        let mut dock = Dock::from(Arrangement::Profile);
        assert!(!dock.shows(Pane::Log));
        dock.open(Pane::Log);
        assert_eq!(dock.arrangement(), Some(Arrangement::Profile));
        dock.close(Pane::Errors);
        let text = dock.text();
        let back = Dock::parse(&text).unwrap();
        assert_eq!(back.text(), text);
        let of_before = text.replace("Options", "Wave");
        assert_eq!(Dock::parse(&of_before).unwrap().text(), text);
        assert!(!back.has(Pane::Errors) && back.shows(Pane::Log));
        assert_eq!(back.arrangement(), None);
        assert_eq!(Dock::parse("").unwrap().text(), Dock::default().text());
    }

    #[test]
    fn a_broken_arrangement_is_refused_with_the_reason() {
        for (text, reason) in [
            ("Row([(1", "1:8"),
            ("Tabs(0,[Methods])", "picture pane is missing"),
            ("Tabs(0,[Picture,Log,Log])", "Log appears twice"),
            ("Tabs(0,[Picture,Garden])", "Garden"),
            ("Row([(-1.0,Tabs(0,[Picture]))])", "share -1"),
            ("Row([(NaN,Tabs(0,[Picture]))])", "share NaN"),
        ] {
            let message = Dock::parse(text).unwrap_err().message;
            assert!(message.contains(reason), "{text}: {message}");
        }
        let deep = "Row([(1.0,".repeat(9999) + "Tabs(0,[Picture])" + &")])".repeat(9999);
        assert!(Dock::parse(&deep).is_err());
        let old = "Row([(0.5,Tabs(1,[Code,Map])),(0.5,Tabs(7,[Map,Picture])),(1.0,Tabs(0,[Map]))])";
        let panes = Dock::parse(old).unwrap().text();
        assert_eq!(panes, "Row([(0.5,Tabs(0,[Code])),(0.5,Tabs(0,[Picture]))])");
    }

    #[test]
    fn closed_panes_come_back_to_the_side_of_the_picture_which_cannot_be_closed() {
        let mut dock = Dock::default();
        for pane in Pane::value_variants() {
            dock.close(*pane);
            assert_eq!(dock.has(*pane), *pane == Pane::Picture);
        }
        let mut dock = Dock::from(Arrangement::Picture);
        for pane in [Pane::Probe, Pane::Methods] {
            dock.open(pane);
        }
        assert_eq!(
            dock.text(),
            "Row([(0.3,Tabs(1,[Probe,Methods])),(0.7,Tabs(0,[Picture]))])"
        );
    }
}
