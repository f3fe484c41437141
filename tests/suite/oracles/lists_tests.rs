//! The list-building stages by hand, and against a brute-force definition of the merged list.

use super::*;
use proptest::prelude::*;

fn splat(depth: f32, tile_min: [u32; 2], tile_max: [u32; 2]) -> Splat {
    Splat {
        depth_key: depth.to_bits(),
        tile_min,
        tile_max,
        mask: None,
    }
}

/// Three splats on a grid of 3 by 2 tiles.
fn scene() -> Vec<Splat> {
    vec![
        splat(5.0, [0, 0], [2, 2]),
        splat(2.0, [1, 0], [3, 1]),
        splat(5.0, [1, 1], [2, 2]),
    ]
}

fn pairs(entries: &[Entry]) -> Vec<(u32, u32)> {
    entries
        .iter()
        .map(|entry| (entry.tile, entry.splat))
        .collect()
}

/// All stages in a row.
fn build(splats: &[Splat], slice_keys: &[u32], tiles: [u32; 2]) -> Result<MergedLists, ListError> {
    let order = sort_by_depth(splats);
    let sorted = sort_by_tile(&entries(&order, splats, tiles)?);
    let starts = tile_starts(&sorted, tiles[0] * tiles[1])?;
    merge(&starts, &sorted, splats, slice_keys, tiles, None)
}

/// The definition: per tile, all that covers it sorted by (key, fog before particle, index).
fn brute_force(splats: &[Splat], slice_keys: &[u32], tiles: [u32; 2]) -> Vec<Vec<u32>> {
    let mut lists = Vec::new();
    for row in 0..tiles[1] {
        for column in 0..tiles[0] {
            let mut keyed: Vec<(u32, u32, u32)> = Vec::new();
            for (index, key) in slice_keys.iter().enumerate() {
                keyed.push((*key, 0, index as u32 | FOG_BIT));
            }
            for (index, splat) in splats.iter().enumerate() {
                let covers =
                    |axis: usize, at: u32| splat.tile_min[axis] <= at && at < splat.tile_max[axis];
                if covers(0, column) && covers(1, row) {
                    keyed.push((splat.depth_key, 1, index as u32));
                }
            }
            keyed.sort();
            lists.push(keyed.iter().map(|key| key.2).collect());
        }
    }
    lists
}

fn split(merged: &MergedLists) -> Vec<Vec<u32>> {
    merged
        .list_starts
        .windows(2)
        .map(|run| merged.layers[run[0] as usize..run[1] as usize].to_vec())
        .collect()
}

#[test]
fn each_stage_by_hand() -> Result<(), ListError> {
    let splats = scene();
    let order = sort_by_depth(&splats);
    assert_eq!(order, [1, 0, 2], "equal depths in index order");

    let emitted = entries(&order, &splats, [3, 2])?;
    let expected = [(1, 1), (2, 1), (0, 0), (1, 0), (3, 0), (4, 0), (4, 2)];
    assert_eq!(pairs(&emitted), expected);

    let sorted = sort_by_tile(&emitted);
    let expected = [(0, 0), (1, 1), (1, 0), (2, 1), (3, 0), (4, 0), (4, 2)];
    assert_eq!(pairs(&sorted), expected);
    assert_eq!(tile_starts(&sorted, 6)?, [0, 1, 3, 4, 5, 7, 7]);
    Ok(())
}

#[test]
fn the_merge_by_hand() -> Result<(), ListError> {
    let slice_keys = [1.0f32, 5.0, 9.0].map(f32::to_bits);
    let merged = build(&scene(), &slice_keys, [3, 2])?;
    let fog = |slice: u32| FOG_BIT | slice;
    assert_eq!(merged.list_starts, [0, 4, 9, 13, 17, 22, 25]);
    let lists = split(&merged);
    assert_eq!(lists[0], [fog(0), fog(1), 0, fog(2)], "fog first on a tie");
    assert_eq!(lists[1], [fog(0), 1, fog(1), 0, fog(2)]);
    assert_eq!(lists[4], [fog(0), fog(1), 0, 2, fog(2)]);
    assert_eq!(lists[5], [fog(0), fog(1), fog(2)], "no splat");
    Ok(())
}

#[test]
fn lists_end_at_the_limits_of_their_tiles() -> Result<(), ListError> {
    let splats = scene();
    let slice_keys = [1.0f32, 5.0, 9.0].map(f32::to_bits);
    let sorted = sort_by_tile(&entries(&sort_by_depth(&splats), &splats, [3, 2])?);
    let starts = tile_starts(&sorted, 6)?;
    let cut = |depth: f32| {
        let tiles = [depth.to_bits(); 6];
        let slice_fronts = [0.5f32, 1.0, 5.0].map(f32::to_bits);
        let limits = Limits {
            tiles: &tiles,
            slice_fronts: &slice_fronts,
        };
        merge(&starts, &sorted, &splats, &slice_keys, [3, 2], Some(limits))
    };
    let fog = |slice: u32| FOG_BIT | slice;
    let lists = split(&cut(5.5)?);
    assert_eq!(lists, split(&build(&splats, &slice_keys, [3, 2])?));
    let lists = split(&cut(5.0)?);
    assert_eq!(lists[0], [fog(0), fog(1)], "at the limit is behind it");
    assert_eq!(lists[1], [fog(0), 1, fog(1)]);
    // A slice that begins in front of the limit and ends behind it stays.
    let lists = split(&cut(1.5)?);
    assert_eq!(lists[1], [fog(0), fog(1)]);
    assert!(split(&cut(0.5)?).iter().all(Vec::is_empty));
    let limits = Limits {
        tiles: &[0; 5],
        slice_fronts: &[0; 3],
    };
    let short = merge(&starts, &sorted, &splats, &slice_keys, [3, 2], Some(limits));
    assert_eq!(short, Err(ListError::TileStarts));
    Ok(())
}

#[test]
fn macro_tiles_by_hand() -> Result<(), ListError> {
    // Over the corner of four macro tiles, and beside it.
    let splats = [splat(2.0, [3, 3], [5, 5]), splat(1.0, [0, 0], [1, 1])];
    let order = sort_by_depth(&splats);
    let macros = macro_splats(&order, &splats, [6, 6], 4)?;
    assert_eq!(macros, [vec![1, 0], vec![0], vec![0], vec![0]]);
    Ok(())
}

#[test]
fn nothing_makes_empty_lists() -> Result<(), ListError> {
    let merged = build(&[], &[], [2, 2])?;
    assert_eq!(merged.list_starts, [0; 5]);
    assert!(merged.layers.is_empty());
    assert_eq!(build(&[], &[7], [0, 0])?.list_starts, [0]);
    Ok(())
}

#[test]
fn an_empty_rectangle_gives_no_entry() -> Result<(), ListError> {
    let splats = [splat(1.0, [1, 1], [1, 2]), splat(1.0, [2, 0], [1, 1])];
    assert!(entries(&[0, 1], &splats, [3, 2])?.is_empty());
    Ok(())
}

#[test]
fn a_list_may_exceed_a_thousand_layers() -> Result<(), ListError> {
    let splats = vec![splat(3.0, [0, 0], [1, 1]); 3000];
    let merged = build(&splats, &[3.0f32.to_bits()], [1, 1])?;
    assert_eq!(merged.layers.len(), 3001);
    assert_eq!(merged.layers[0], FOG_BIT);
    assert!(merged.layers[1..].is_sorted());
    Ok(())
}

#[test]
fn impossible_input_is_an_error() {
    let splats = scene();
    let unknown = macro_splats(&[3], &splats, [3, 2], 4);
    assert_eq!(unknown, Err(ListError::NoSuchSplat(3)));
    let outside = entries(&[0], &splats, [1, 2]);
    assert_eq!(outside, Err(ListError::NoSuchTile(1)));
    let entry = [Entry { tile: 6, splat: 0 }];
    assert_eq!(tile_starts(&entry, 6), Err(ListError::NoSuchTile(6)));
    let short = merge(&[0, 1], &entry, &splats, &[], [3, 2], None);
    assert_eq!(short, Err(ListError::TileStarts));
    let beyond = merge(&[0, 2], &entry, &splats, &[], [1, 1], None);
    assert_eq!(beyond, Err(ListError::TileStarts));
    let partial = merge(&[0, 0], &entry, &splats, &[], [1, 1], None);
    assert_eq!(partial, Err(ListError::TileStarts));
    let falling = merge(&[0, 2, 1], &entry, &splats, &[], [2, 1], None);
    assert_eq!(falling, Err(ListError::TileStarts));
}

/// Splats on a grid of 5 by 3 tiles, with few depths, so that ties are common.
fn any_splat() -> impl Strategy<Value = Splat> {
    let corner = (0u32..5, 0u32..3);
    (1u32..6, corner, (0u32..4, 0u32..3)).prop_map(|(depth, min, size)| {
        let tile_max = [(min.0 + size.0).min(5), (min.1 + size.1).min(3)];
        splat(depth as f32, [min.0, min.1], tile_max)
    })
}

fn any_slice_keys() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::btree_set(1u32..12, 0..8)
        .prop_map(|depths| depths.iter().map(|&d| (d as f32 / 2.0).to_bits()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_stages_give_what_the_definition_asks(
        splats in proptest::collection::vec(any_splat(), 0..40),
        slice_keys in any_slice_keys(),
    ) {
        let merged = build(&splats, &slice_keys, [5, 3])?;
        prop_assert_eq!(split(&merged), brute_force(&splats, &slice_keys, [5, 3]));

        let order = sort_by_depth(&splats);
        let emitted = entries(&order, &splats, [5, 3])?;
        let macros = macro_splats(&order, &splats, [5, 3], 5)?;
        let shown: Vec<u32> = order.iter().copied().filter(|&index| splats[index as usize].tile_count() > 0).collect();
        prop_assert_eq!(&macros[0], &shown);
        let starts = tile_starts(&sort_by_tile(&emitted), 15)?;
        for (tile, start) in starts.iter().enumerate() {
            let expected = *start + (tile * slice_keys.len()) as u32;
            prop_assert_eq!(merged.list_starts[tile], expected);
        }
    }

    #[test]
    fn a_tie_broken_the_other_way_does_not_agree(depth in 1u32..6) {
        let splats = [splat(depth as f32, [0, 0], [1, 1])];
        let mut merged = build(&splats, &[splats[0].depth_key], [1, 1])?;
        merged.layers.reverse();
        prop_assert_ne!(split(&merged), brute_force(&splats, &[splats[0].depth_key], [1, 1]));
    }
}
