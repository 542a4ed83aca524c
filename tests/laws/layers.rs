//! Layers, however they are grouped.

use super::*;

/// Builds the draft's layers in another way than `repeat` does.
fn built(draft: &Draft, layers: impl IntoIterator<Item = (u64, Layer)>) -> Architecture {
    layers.into_iter().fold(draft.builder(), |builder, (count, layer)| builder.layers(count, layer)).build().unwrap()
}

/// The parameters of a model of this layer alone: all, active, and those of multi-token prediction. A layer without
/// blocks is none.
fn held(draft: &Draft, layer: &Layer) -> [u128; 3] {
    let parameters = built(draft, [(1, layer.clone())]).ledger().unwrap().parameters();
    [parameters.total(), parameters.active(), parameters.mtp()]
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn equal_layers_may_be_grouped_in_any_way(draft in draft(), split in any::<prop::sample::Index>()) {
        let repeated = draft.build();
        let layers = draft.layers();
        let one_by_one = layers.iter().fold(draft.builder(), |builder, layer| builder.layer(layer.clone()));
        let one_by_one = one_by_one.build().unwrap();
        prop_assert_eq!(&one_by_one, &repeated);
        prop_assert_eq!(one_by_one.depth(), layers.len() as u64);

        // As the runs that the architecture itself gives, each cut in two, with runs of no layers between.
        let runs = repeated.runs().flat_map(|(layer, count)| {
            let cut = split.index(usize::try_from(count).unwrap()) as u64;
            [(cut, layer.clone()), (0, Layer::new()), (count - cut, layer.clone())]
        });
        let in_runs = built(&draft, runs.collect::<Vec<_>>());
        prop_assert_eq!(&in_runs, &repeated);

        // As one turn of everything.
        let at_once = draft.builder().repeat(1, layers).repeat(0, [Layer::new()]).build().unwrap();
        prop_assert_eq!(&at_once, &repeated);

        let ledger = repeated.ledger().unwrap();
        for other in [one_by_one, in_runs, at_once] {
            prop_assert_eq!(&other.ledger().unwrap(), &ledger);
        }
    }

    #[test]
    fn n_times_a_layer_is_a_run_of_n(frame in frame(), layer in layer(), n in 1..=24_u64) {
        let builder = || frame.builder();
        let run = builder().layers(n, layer.clone()).build().unwrap();
        let one_by_one = (0..n).fold(builder(), |builder, _| builder.layer(layer.clone())).build().unwrap();
        let repeated = builder().repeat(n, [layer.clone()]).build().unwrap();
        prop_assert_eq!(&run, &one_by_one);
        prop_assert_eq!(&run, &repeated);
        prop_assert_eq!(run.ledger().unwrap(), one_by_one.ledger().unwrap());
        prop_assert_eq!(run.ledger().unwrap(), repeated.ledger().unwrap());
        prop_assert_eq!(run.runs().collect::<Vec<_>>().len(), 1);
    }

    #[test]
    fn the_order_of_layers_is_no_part_of_the_account(draft in draft(), norm in common::norm()) {
        // Unless said, the final norm is that of the last layer.
        let draft = Draft { frame: Frame { final_norm: FinalNorm::Given(norm), ..draft.frame }, ..draft };
        let mut backwards = draft.layers();
        backwards.reverse();
        let backwards = built(&draft, backwards.into_iter().map(|layer| (1, layer)));
        prop_assert_eq!(backwards.ledger().unwrap(), draft.ledger());
    }

    #[test]
    fn parameters_are_the_sum_over_layers_built_one_by_one(draft in draft()) {
        // An embedding for each layer is as large as there are layers.
        let draft = Draft { frame: Frame { final_norm: FinalNorm::None, per_layer: None, ..draft.frame }, ..draft };
        let without_layers = held(&draft, &Layer::new());
        let mut sum = without_layers;
        for layer in draft.layers() {
            let with_layer = held(&draft, &layer);
            for (sum, (with, without)) in sum.iter_mut().zip(with_layer.into_iter().zip(without_layers)) {
                *sum += with - without;
            }
        }
        let parameters = draft.ledger().parameters();
        prop_assert_eq!([parameters.total(), parameters.active(), parameters.mtp()], sum);
    }

    #[test]
    fn counts_are_the_sum_over_layers_built_one_by_one(
        draft in draft(), convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let draft = Draft { frame: Frame { final_norm: FinalNorm::None, per_layer: None, ..draft.frame }, ..draft };
        let batch = Batch::packed(&lengths).after(cached);
        let layers = draft.layers();
        let ledgers: Vec<Ledger> =
            layers.iter().map(|layer| built(&draft, [(1, layer.clone())]).ledger().unwrap()).collect();
        let none = built(&draft, [(1, Layer::new())]).ledger().unwrap();
        let all = draft.ledger();
        for convention in presets_and(convention) {
            let training = |ledger| count(ledger, convention, batch).training.get();
            let own = |ledger| training(ledger) - training(&none);
            prop_assert_eq!(training(&all), training(&none) + ledgers.iter().map(own).sum::<u128>());
        }
    }

    #[test]
    fn a_module_holds_a_layer_a_projection_three_norms_and_what_it_owns(
        draft in draft(), (depth, layer) in (1..=3_u64, layer()), [head, embedding, biased] in any::<[bool; 3]>(),
    ) {
        let plain_or_biased = if biased { Head::Biased } else { Head::Plain };
        let frame = Frame {
            final_norm: FinalNorm::None,
            head: plain_or_biased,
            embedding_width: None,
            ..draft.frame.clone()
        };
        // The module's own norms are of its layer's kind: here a weight per channel.
        let layer = layer.with_norms(Norm::rms());
        let without = Draft { frame, mtp: None, ..draft };
        let [own, none] = [&layer, &Layer::new()].map(|layer| held(&without, layer)[0]);
        let with = Draft { mtp: Some((depth, layer, [head, embedding])), ..without.clone() };

        let (hidden, table) = (without.frame.hidden, without.frame.table());
        let bias = if biased { table / hidden } else { 0 };
        let mut each = 2 * hidden * hidden + 3 * hidden;
        each += if head { table + bias } else { 0 };
        each += if embedding { table } else { 0 };
        let (with, without) = (with.ledger().parameters(), without.ledger().parameters());
        prop_assert_eq!(with.mtp(), u128::from(depth) * (own - none + u128::from(each)));
        prop_assert_eq!((with.total(), with.active()), (without.total(), without.active()));
    }

    #[test]
    fn the_parts_of_the_parameters_sum_to_the_whole(draft in draft()) {
        let ledger = draft.ledger();
        let parameters = ledger.parameters();
        let groups: BTreeSet<Group> = Component::ALL.iter().map(|component| component.group()).collect();
        let held_in = |place| {
            let parts = groups.iter().map(|group| ledger.parameters_of(place, *group));
            parts.fold((0, 0), |(held, active), part| (held + part.held, active + part.active))
        };
        prop_assert_eq!(held_in(Place::Trunk), (parameters.total(), parameters.active()));
        prop_assert_eq!(held_in(Place::Mtp).0, parameters.mtp());

        let of_lines = |place| {
            let lines = ledger.lines().iter().filter(move |line| line.place == place);
            lines.map(|line| u128::from(line.parameters) * u128::from(line.layers)).sum::<u128>()
        };
        prop_assert_eq!(of_lines(Place::Trunk), parameters.total());
        prop_assert_eq!(of_lines(Place::Mtp), parameters.mtp());
        prop_assert_eq!(parameters.total_with_mtp(), parameters.total() + parameters.mtp());

        prop_assert!(parameters.active_without_embeddings() <= parameters.active_without_embedding());
        prop_assert!(parameters.active_without_embedding() <= parameters.active());
        prop_assert!(parameters.active() <= parameters.total());
    }

    #[test]
    fn every_line_occurs_and_equal_ones_are_one(draft in draft()) {
        let mut lines = draft.ledger().lines().to_vec();
        prop_assert!(lines.iter().all(|line| line.layers > 0));
        let all = lines.len();
        for line in &mut lines {
            line.layers = 0;
        }
        lines.sort_unstable();
        lines.dedup();
        prop_assert_eq!(lines.len(), all);
    }

    #[test]
    fn tying_saves_the_embedding_and_changes_no_work(draft in draft(), lengths in lengths()) {
        let untied = Draft { frame: Frame { tied: false, head: Head::Biased, ..draft.frame }, ..draft };
        let tied = Draft { frame: Frame { tied: true, ..untied.frame.clone() }, ..untied.clone() };
        let table = u128::from(untied.frame.table());
        let (untied, tied) = (untied.ledger(), tied.ledger());
        prop_assert_eq!(untied.parameters().total() - tied.parameters().total(), table);
        // Embedding and head held apart, or the one tensor that is both: without the lookup the two are alike.
        prop_assert_eq!(
            untied.parameters().active_without_embedding(), tied.parameters().active_without_embedding()
        );
        prop_assert_eq!(
            count(&untied, Convention::EXACT, &lengths), count(&tied, Convention::EXACT, &lengths)
        );
    }
}

type AttentionOption = fn(Attention) -> Attention;

/// What the block holds in a model of this hidden size, and what one token touches.
fn of_block(hidden: u64, block: impl Into<Block>) -> (u128, u128) {
    // Beside the block, a table and a head of one row each.
    let builder = Architecture::decoder(hidden, 1).without_final_norm();
    let parameters = builder.layer(Layer::new().with(block)).build().unwrap().ledger().unwrap().parameters();
    let beside = u128::from(2 * hidden);
    (parameters.total() - beside, parameters.active() - beside)
}

proptest! {
    #![proptest_config(cases(256))]

    // The sizes are named as in the formulas of the blocks.

    #[test]
    fn attention_holds_what_its_formula_says(
        (h, groups, g, d, d_v, w) in (size(), 1..=4_u64, 1..=4_u64, size(), size(), size()),
        [query, key, value, output] in any::<[bool; 4]>(), norm in 0..3, gate in 0..3, sinks in any::<bool>(),
    ) {
        let heads = groups * g;
        let attention = Attention::grouped(heads, g, d).value_dim(d_v).input_width(w);
        let (mut attention, mut held) = (attention, w * heads * d + w * g * d + w * g * d_v + heads * d_v * h);
        let options: [(bool, AttentionOption, u64); 9] = [
            (query, Attention::query_bias, heads * d),
            (key, Attention::key_bias, g * d),
            (value, Attention::value_bias, g * d_v),
            (output, Attention::output_bias, h),
            (norm == 1, Attention::qk_norm, 2 * d),
            (norm == 2, Attention::qk_norm_whole_width, (heads + g) * d),
            (gate == 1, Attention::gated, w * heads * d_v),
            (gate == 2, Attention::gated_per_head, w * heads),
            (sinks, Attention::sinks, heads),
        ];
        for (wanted, option, more) in options {
            if wanted {
                (attention, held) = (option(attention), held + more);
            }
        }
        prop_assert_eq!(of_block(h, attention), (held.into(), held.into()));
    }

    #[test]
    fn latent_attention_holds_what_its_formula_says(
        (h, heads, r_kv, d_n, d_r, d_v) in (size(), 1..=8_u64, size(), size(), 0..=9_u64, size()),
        query_rank in proptest::option::of(size()), bias in any::<bool>(),
    ) {
        let attention = LatentAttention::new(heads, r_kv, d_n, d_r, d_v);
        let attention = query_rank.map_or(attention, |rank| attention.query_rank(rank));
        let attention = if bias { attention.bias() } else { attention };
        let queries = heads * (d_n + d_r);
        let mut held = h * (r_kv + d_r) + r_kv * heads * (d_n + d_v) + heads * d_v * h;
        held += query_rank.map_or(h * queries, |r_q| h * r_q + r_q * queries);
        // A norm on each latent; a bias on both projections down to one, and on the output.
        held += r_kv + query_rank.unwrap_or(0);
        held += if bias { query_rank.unwrap_or(0) + (r_kv + d_r) + h } else { 0 };
        prop_assert_eq!(of_block(h, attention), (held.into(), held.into()));
    }

    #[test]
    fn feed_forwards_and_experts_hold_what_their_formulas_say(
        (h, f, f_s) in (size(), size(), size()),
        (k, idle, shared, more) in (1..=4_u64, 0..=4_u64, 1..=3_u64, 0..=3_u64),
        latent in proptest::option::of(size()), [gated, up_bias, down_bias, gate, router_bias] in any::<[bool; 5]>(),
    ) {
        let block = |width| {
            let block = if gated { FeedForward::gated(width) } else { FeedForward::plain(width) };
            let block = if up_bias { block.up_bias() } else { block };
            if down_bias { block.down_bias() } else { block }
        };
        let ups = if gated { 2 } else { 1 };
        let held = |input, width| {
            let up = input * width + if up_bias { width } else { 0 };
            let down = width * input + if down_bias { input } else { 0 };
            ups * up + down
        };
        prop_assert_eq!(of_block(h, block(f)), (held(h, f).into(), held(h, f).into()));

        let (count, choices) = (k + idle, k + idle + more);
        let experts = Experts::new(count, k, block(f)).shared_experts(shared, block(f_s)).router_width(choices);
        let experts = latent.map_or(experts, |width| experts.latent(width));
        let experts = if gate { experts.shared_gate() } else { experts };
        let experts = if router_bias { experts.router_bias() } else { experts };
        let mut always = h * choices + shared * held(h, f_s) + latent.map_or(0, |width| 2 * h * width);
        always += if gate { h } else { 0 };
        always += if router_bias { choices } else { 0 };
        let each = held(latent.unwrap_or(h), f);
        prop_assert_eq!(of_block(h, experts), ((always + count * each).into(), (always + k * each).into()));
        // Used again, it holds nothing.
        prop_assert_eq!(of_block(h, Block::reused(experts)), (0, 0));
    }

    #[test]
    fn a_mixer_costs_every_token_the_same(
        h in size(), mixer in mixer(), convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let ledger = Architecture::decoder(h, 9).layer(Layer::new().with(mixer)).build().unwrap().ledger().unwrap();
        for convention in presets_and(convention) {
            let one = count(&ledger, convention, &[1]);
            let all = count(&ledger, convention, Batch::packed(&lengths).after(cached));
            prop_assert_eq!(all.attention_core().get(), 0);
            prop_assert_eq!(all.training.get(), all.tokens * one.training.get());
            // The scan is what its axis says, and nothing else is.
            let with = |scan| count(&ledger, Convention { scan, ..convention }, &[1]).forward.get();
            let scan = ledger.lines().iter().find_map(|line| match line.work {
                Work::PerToken(flops) => Some(u128::from(flops)),
                _ => None,
            });
            prop_assert_eq!(with(Inclusion::In) - with(Inclusion::Out), scan.unwrap_or(0));
        }
    }

    #[test]
    fn reused_blocks_work_like_the_first(draft in decoder(), layer in layer(), lengths in lengths()) {
        let again = layer.blocks().iter().cloned().map(Block::reused).fold(Layer::new(), Layer::with);
        let [first, again] = [&layer, &again].map(|layer| built(&draft, [(1, layer.clone())]).ledger().unwrap());
        prop_assert_eq!(count(&first, Convention::EXACT, &lengths), count(&again, Convention::EXACT, &lengths));
    }
}

#[test]
fn a_run_of_a_million_million_million_layers_costs_nothing() {
    const N: u64 = 1_000_000_000_000_000_000;
    // A norm of 2 channels, an attention of one head of width 3 with 4 matrices of 2·3, and a plain feed-forward with
    // two of 2·5: 2 + 24 + 20 = 46 parameters a layer. Around them embedding and head, 7·2 each, and a final norm of 2.
    let layer = Layer::new().with(Norm::rms()).with(Attention::multi_head(1, 3).window(2)).with(FeedForward::plain(5));
    let model = Architecture::decoder(2, 7).layers(N - 1, layer.clone()).layer(layer).build().unwrap();
    assert_eq!(model.depth(), N);
    assert_eq!(model.runs().count(), 1);
    let ledger = model.ledger().unwrap();
    assert_eq!(ledger.parameters().total(), 46 * u128::from(N) + 30);

    // Of those, 44 a layer are in matmuls, and the head. Three queries see 1 + 2 + 2 keys, each for 2·3 + 2·3 FLOPs.
    let count = count(&ledger, Convention::EXACT, &[3]);
    assert_eq!(count.training.get(), 3 * (6 * (44 * u128::from(N) + 14)) + 3 * 5 * 12 * u128::from(N));
}
