"""The words of the case forms (CASE-FORMS 3 to 6): records, vocabularies, and the fields of every form.

Each field is written ``name: type``; ``!`` marks what a form needs. fields.py reads it.
"""

from __future__ import annotations

WORDS = {
    "player": "allied axis",
    "owner": "allied axis vichy",
    "holder": "none allied axis vichy",
    "phase": "setup initial movement air combat exploitation",
    "air_step": "air_movement interceptor_movement air_combat missions interceptor_return air_return",
    "verdict": "legal illegal",
    "terrain": "clear rough mountain sand swamp salt_marsh full_city",
    "feature": "dot_city reference_city full_city fortress unimproved_fortress fort airfield",
    "hexside": """
        escarpment_up escarpment_down river major_river canal wadi mountain sebkha impassable sea lake border
    """,
    "line": "road rail",
    "region": "libya cyrenaica egypt delta palestine levant malta east_edge south_edge axis special",
    "grant": "none air full",
    "ground_result": "AE AH AR NE HX EX DR DH DE auto",
    "column": "none 1:3 1:2 1:1 1.5:1 2:1 3:1 4:1 5:1 6:1 7:1",
    "air_result": "K A R none",
    "unit_state": "full cadre eliminated",
    "air_state": "operative inoperative scrambled turned_back eliminated",
    "fate": "turned_back aborted eliminated",
    "air_type": "F NF D A B NB HB T GT",
    "capability": "none neutral half full",
    "mission": "bombing ground_support defensive_support escort air_drop",
    "special_pool": "none german_1941 german_1942 italian",
    "flag": """
        friendly_mission_at_target enemy_mission_at_target enemy_night_mission_at_target
        old_defensive_support_at_target own_base_targeted destination_targeted stop_in_interception_range
        made_patrol_attack patrol_zones_on_straight_line axis_not_deployed pool_1941_used raid_made_this_month
        allies_invaded_levant
    """,
    "table": """
        ground_crt odds_column bombing air_combat antiaircraft malta shipping_results ports port_types airbases
        zoc_costs overrun_costs rail terrain_movement hexside_movement aec vichy raid greece air_repair
        division_sets victory_level region place_name overlap adjacent initial_control dice_per_roll dates
        withdrawals_to_greece
    """,
    "dice_kind": """
        combat bombing air_combat aa patrol escape crash malta shipping malta_run supply_capture raid vichy setup
        greece_ground greece_air
    """,
}
"""Vocabularies by name."""

RECORDS = {
    "unit": """
        t: text; n: int; id: text; at: text; hex: text; over: hexside; as: bool; gs: bool;
        state: one of full cadre intact; printed: num; cadre: num; owner: owner; nat: text; type: text; size: text;
        name: text; figures: text; att: num; def: num; mp: num; mp_left: num; mp_used: num; re: num; division_re: num;
        mot: bool; supported: bool; airborne: bool; cav: bool; arty: bool; aslt: bool; giver: bool; aa: num;
        aeca: capability; aecd: capability; atec: capability; note: text; disrupted: bool; dropped: bool;
        seaborne: bool; declare: map of capability; distance: int;
        arrived: one of reinforcement replacement fifth_army garrison; arrived_turns_ago: int; due: text;
        used_in: text; special: one of airborne seaborne; operation_turn: int; adjacent_enemy: list of unit; of: text;
        kind: one of support_group headquarters; pool: text
    """,
    "air_unit": """
        id: text; name: text; type: air_type; attack: num; defense: num; tactical: num; strategic: num; strength: num;
        move: int; at: text; state: air_state; mission: mission; role: one of interceptor escort mission;
        jettison: bool; tows: air_unit; fate: fate; attacks_made: int; passed: int; escaped_this_turn: bool;
        arrived: one of greece; gs: bool
    """,
    "step": """
        terrain: terrain; features: list of feature; n: int; ezoc: bool; hexside: hexside; other_hexside: hexside;
        line: line; has_line: line; by: one of foot rail ship road; control: one of own enemy this_turn;
        units: list of unit; enemy: list of unit; enemy_supply: int; adjacent_enemy: list of unit;
        enemy_at_two: list of unit; harassed: int; broken: one of yes repaired; built: bool; region: region
    """,
    "line_hex": """
        n: int; hex: text; ezoc: bool; units: list of unit; hexside: hexside; adjacent_enemy: list of unit;
        broken: bool; region: region
    """,
    "retreat_hex": """
        ezoc: bool; full: bool; places: int; over: hexside; near: list of text; units: list of unit;
        enemy_supply: int; region: region
    """,
    "place": """
        name: text; terrain: terrain; features: list of feature; line: line; broken: bool; port_hits: int;
        airbase_hits: int
    """,
    "railhead": """
        at: text; next: text; controlled: one of both at_only; supplied: one of both at_only;
        enemy_next_to: map of list of unit; turns_skipped: int
    """,
    "vichy": """
        held_by: holder; grant: grant; axis_invades: bool
    """,
    "drop_target": """
        terrain: terrain; ezoc: bool; enemy: list of unit; supply: int
    """,
    "air_target": """
        kind: one of port airbase air_units rail canal harass ground_support; name: text; air: list of air_unit;
        printed: num; controlled_by: player; own_units: bool
    """,
    "counter": """
        id: text; owner: owner; steps: int; distance: int; line: list of line_hex; arrived: one of reinforcement
    """,
    "cargo_item": """
        kind: one of unit supply rp position_aa ground air; dir: one of in out; t: text; re: num; size: text;
        steps: int; rp: text; aa: int; arriving: one of reinforcement; turned_back: text; at: text; state: air_state;
        heavy: bool
    """,
    "order": """
        order: text; units: list of text; unit: text; target: text or list of text; targets: list of text;
        only: list of text; share: num; to: text; from: text; at: text; at_moment: text; in: text; by: text;
        into: text; what: text; offer: text; hits: int; points: int; steps: int; counter: text;
        counters: list of text; path: list of step; advance: list of text; distance: int; path_length: int;
        extended: bool; area: region; pool: special_pool; operation: text; first_wave_re: num; second_wave_re: num;
        second_wave_steps: int
    """,
    "attack_group": """
        target: text; re: num; units: list of unit
    """,
    "base": """
        id: text; at: text; distance: int; held_by: player
    """,
    "shot": """
        shot: list of text; diff: int; used: int; result: air_result
    """,
    "event": """
        event: one of canal_hit capture garrison_short; n: int; player: player; of: text; region: region; re: num;
        hq: int
    """,
    "holding": """
        player: player; region: region; city: one of egypt libya_outside_cyrenaica; kind: feature; at: text;
        from: text; to: text
    """,
    "garrison": """
        region: region; controlled: bool; turns_since_invasion: int; units: list of unit; re: num; hq: int;
        pool_infantry: int
    """,
    "operation": """
        pool: special_pool; airborne_re: num; ground_re: num; supply_steps: int; type_T: int; type_GT: int;
        planned_airborne_re: num; planned_type_T: int; lost_re: num; entry: text
    """,
    "mission_flight": """
        id: text; night: bool
    """,
    "supply_result": """
        captured: int; eliminated: int
    """,
}
"""Fields of the records."""

FORMS = {
    "move": (
        """
        units!: list of unit; path!: list of step; player: player; phase: phase; turn: text;
        mode: one of normal admin carried; transport: unit; mp_used: num; rail_city: one of open cut_by_ezoc none;
        vichy: vichy
        """,
        """
        verdict: verdict; verdicts: list of verdict; mp: num; available: num; allowance: num; max_rail: int;
        steps: int; supply: supply_result; vichy_held_by: holder; levant_invaded: bool
        """,
        "move break_rail",
        "supply_capture",
    ),
    "supply_counter": (
        """
        counters!: list of counter; path: list of step; smp: num; smp_used_last_turn: num; player: player;
        phase: phase; rail_city: one of open cut_by_ezoc none
        """,
        """
        verdict: verdict; smp: num; smp_each: list of num; smp_left: num; steps: list of int
        """,
        "supply_move supply_merge supply_split supply_destroy",
        "",
    ),
    "stack": (
        """
        units!: list of unit; supply_counters: int; player: player; phase: phase; when: one of phase_end inside_phase;
        leave_later: int
        """,
        """
        verdict: verdict; counted: int
        """,
        "",
        "",
    ),
    "zoc": (
        """
        units!: list of unit; at: text; neighbours: one of plain; into: step
        """,
        """
        zoc: list of bool; hexes: list of text; own_hex: bool
        """,
        "",
        "",
    ),
    "control": (
        """
        at: text; owner: player; player: player; enters: list of unit; passes: list of unit; adjacent: list of unit;
        zoc: map of bool; features: list of feature; cruiser: bool; air: list of air_unit; nearest_base: int;
        supply: int; region: region; cities: map of int; other_hexes: player
        """,
        """
        owner: player; neighbours_owner: player; controls: map of bool; fortress: one of improved unimproved;
        fort: one of present none; cruiser: bool; air_states: list of text; airbase_owner: player;
        supply: supply_result; rail_usable: bool
        """,
        "",
        "escape supply_capture",
    ),
    "combat": (
        """
        attackers: list of unit; defenders: list of unit; standing_by: list of unit; retreated_in: list of unit;
        terrain: terrain; features: list of feature; at: text; shared_hex: bool; ground_support: num;
        defensive_support: num; totals: map of num; column: column; drm: int
        """,
        """
        verdict: verdict; attack: num; defense: num; ground_counted: num; defensive_counted: num; column: column;
        aeca: int; aecd: int; atec: int; aeca_share: text; aecd_share: text; atec_share: text; aeca_re: num;
        aecd_re: num; drm: int; die_rolled: bool; die_used: int; result: ground_result;
        results: list of ground_result; aa: num; must_retreat: list of text; weaker: one of attacker defender;
        required: num
        """,
        "",
        "combat",
    ),
    "attacks": (
        """
        units!: list of unit; enemies!: list of unit
        """,
        """
        verdict: verdict; verdicts: list of verdict; combats: int
        """,
        "attack advance pass",
        "combat",
    ),
    "losses": (
        """
        result!: ground_result; attackers!: list of unit; defenders!: list of unit; ground_support: num;
        excess_artillery: list of text; hex_cleared: bool; supply: int
        """,
        """
        verdict: verdict; verdicts: list of verdict; weaker: one of attacker defender; lost: num; required: num;
        sets_ok: list of list of text; sets_bad: list of list of text; after: map of unit_state;
        must_retreat: one of survivors or list of text; air_lost: int; supply: supply_result; supply_left: int;
        supply_owner: player
        """,
        "losses advance pass",
        "supply_capture",
    ),
    "retreat": (
        """
        result!: ground_result; units!: list of unit; hexes!: map of retreat_hex; beyond: map of map of retreat_hex;
        enemy_at: map of list of unit; advanced_to: map of list of unit; shared_hex: list of unit; vichy: vichy
        """,
        """
        choices: list of text; chooser: one of owner enemy; after: map of text; outcomes: list of map of text;
        supply: supply_result
        """,
        "",
        "supply_capture",
    ),
    "overrun": (
        """
        overrunners!: list of unit; target: list of unit; odds: int; terrain: terrain; features: list of feature;
        hexside: hexside; line: line; ezoc: map of one of third target_only; phase: phase; mp_used: num;
        harassed: int; defensive_support: num; supply: int
        """,
        """
        verdict: verdict; strength: num; defense: num; odds: int; mp: num; zoc_mp: num; mp_each: map of num;
        mp_left: num; moved: list of text; after: map of unit_state; supply: supply_result
        """,
        "overrun",
        "supply_capture",
    ),
    "supply": (
        """
        units: list of unit; line: one of none or list of line_hex; lines: list of list of line_hex;
        road: list of line_hex; terminal: map of text; counters: list of counter; attackers: list of attack_group;
        at: text; enemy_at: map of list of unit; advanced_to: map of list of unit; island: text; player: player;
        phase: phase; status_initial: bool; vichy: vichy
        """,
        """
        general: list of bool; attack_supply: list of bool; attack_re: list of num; unsupplied_re: list of num;
        steps_left: int; checked: list of player
        """,
        "general_supply attack_supply pass",
        "",
    ),
    "works": (
        """
        units: list of unit; place: place; turn: text; player: player; phase: phase; railhead: railhead;
        started: text; supply_by_turn: list of bool; left: text; mp_spent_last_turn: num
        """,
        """
        verdict: verdict; verdicts: list of verdict; mp: num; needed: num; available: num;
        built: one of airfield fort; hits: int; removed: int; capacity: num; completes: text;
        fort: one of none under_way complete; fortress: one of improved unimproved; railhead: text
        """,
        """
        build_airfield build_fort improve_fortress demolish_port damage_airbase break_rail repair extend_rail
        div_engineers
        """,
        "",
    ),
    "division": (
        """
        division: unit; components: list of text; into: unit; at: list of text; phase: phase;
        when: one of phase_start after_moving phase_end; component_path: list of step
        """,
        """
        verdict: verdict; verdicts: list of verdict; components: list of text; division: text;
        division_counter: one of in_box on_map; components_at: one of in_box on_map; mp: num
        """,
        "break_down assemble move",
        "",
    ),
    "fly": (
        """
        air_unit: air_unit; air_units: list of air_unit; player: player; turn: text; night: bool; target: air_target;
        flags: list of flag; alternatives: bool; over_region: region; vichy: vichy
        """,
        """
        verdict: verdict; verdicts: list of verdict; lands_in: air_step; attack: num; defense: num; tactical: num;
        strategic: num; capacity_used: int; patrol_attacks: int
        """,
        """
        transfer escort intercept scramble bomb_port bomb_canal bomb_airbase bomb_air harass ground_support
        defensive_support air_drop
        """,
        "",
    ),
    "patrol": (
        """
        fighters!: list of air_unit; target: air_unit; hexes: list of text; step: air_step; night: bool
        """,
        """
        verdict: verdict; verdicts: list of verdict; radius: int; zone: bool; defense: num; turn_back_on: list of int;
        affects: one of both tow glider; attacks: int; turned_back_in: text;
        target_state: one of turned_back flies_on; operative: bool
        """,
        "patrol_attack",
        "patrol",
    ),
    "airbase": (
        """
        features: list of feature; hits: int; inflict: int; present: int; takeoffs: int; interceptions: int;
        scrambles: int; patrol_attacks: int; captured: one of own_movement own_combat; air_arrivals: list of air_unit;
        air: list of air_unit; enemy_enters: bool; enemy_controls: bool; nearest_base: int
        """,
        """
        capacity: int; accepted: int; refused: int; used: int; hits: int; may_try: list of bool;
        states: list of one of escaped remains eliminated; inoperative: list of bool; owner: one of own enemy;
        verdicts: list of verdict
        """,
        "transfer bomb_airbase",
        "escape",
    ),
    "air_return": (
        """
        air_unit!: air_unit; player: player; step: air_step; night: bool; flew: one of standard extended; flown: text;
        bases: list of base; home_base: one of held captured; attack_made: bool; target_held_by: one of own enemy
        """,
        """
        state: air_state; may_land_at: list of text; crash_roll: bool; returns: text; may_fly_again: bool;
        effect: bool
        """,
        "",
        "crash",
    ),
    "air_combat": (
        """
        air: list of air_unit; shots: list of list of text; stage: one of split screen series bypass mission;
        sides: map of int; split: map of int; place: map of text; roles: map of text; screen: list of text;
        bypass: list of text; unengaged: list of text; engaged: map of list of text; mission: list of text;
        single: text; several: list of text; allocation: map of text; allocations: list of list of int;
        after_screen: map of text; results: list of list of text
        """,
        """
        verdict: verdict; verdicts: list of verdict; diff: list of int; used: list of int; result: list of air_result;
        shots: list of shot; after: map of text; after_series: map of text; on_landing: map of air_state;
        fires: map of bool; fires_again: map of bool; next_exchange: bool; mission_flown: map of bool;
        reach_mission: int; group: map of text; attack: map of num; defense: map of num; bombs: map of bool
        """,
        "",
        "air_combat",
    ),
    "bomb": (
        """
        target!: air_target; bombers: list of air_unit; combined: bool; night: bool; extended: bool; hits: int;
        player: player
        """,
        """
        strength: num; used: list of int; result: list of one of H M; points: num; bomber_states: list of air_state;
        states: list of air_state; bombable: list of text; hit: text; rail: one of broken intact; extra_mp: int;
        port_hits: int; port_capacity: num; vp: map of num
        """,
        "",
        "bombing",
    ),
    "flak": (
        """
        light: num; heavy: num; units: list of unit; at: text; cruiser: bool; attacking_hexes: map of num;
        targets: list of air_unit; defenders: list of unit; night: bool; turn: text; bases: list of base;
        suppression_hits: int
        """,
        """
        strength: num; strengths: list of num; column: int; used: list of int; result: list of air_result;
        fire: list of bool; light: num; base_heavy: list of num; adds: map of num; defense: num
        """,
        "",
        "aa",
    ),
    "airdrop": (
        """
        mode!: one of drop land_and_stay unload_and_return; transports: list of air_unit; gliders: int;
        cargo: list of unit; cargo_at_base: bool; distance: int; extended: bool; night: bool; by_glider: bool;
        target: drop_target; dropped: bool; landed: bool; ground: list of unit; enemy_next_to_target: list of unit
        """,
        """
        verdict: verdict; disrupted_on: list of int; must_attack: bool; cargo: one of dropped turned_back eliminated;
        lands_with: text; glider: one of kept expended; capture_roll: bool; supply_left: int
        """,
        "attack pass",
        "",
    ),
    "port": (
        """
        port: text; hits: int; inflict: int; player: player; items: list of cargo_item;
        arriving: one of reinforcement; held_at_start: bool; held_now: bool; limit_used: num; status: int;
        hits_on: one of status port; airbase_hits: int; points: int; supply_steps: int
        """,
        """
        verdict: verdict; verdicts: list of verdict; capacity: num; hits: int; used: num; left: num;
        item_re: list of num; limit_used: num; smp: num; status: int; airbase_hits: int
        """,
        "malta_repair",
        "",
    ),
    "voyage": (
        """
        player!: player; from: text; to: text; map: int; turn: text; phase: phase; items: list of cargo_item;
        status: int; malta_held_by: player; malta_result: one of X none; repaired: int; status_hits: int;
        allied_holds: list of text; grant: grant; held_at_start: bool; to_held_by: player; port_hits: int;
        limit_used: num
        """,
        """
        verdict: verdict; verdicts: list of verdict; malta_rolls: int; status_used: int;
        results: list of one of arrives turned_back lost pool refused; steps_left: list of int; item_re: list of num;
        at: list of text; left: num; limit_used: num
        """,
        "ship",
        "malta shipping malta_run",
    ),
    "pool": (
        """
        player: player; turn: text; phase: phase; eliminated: list of unit; how: one of combat overrun;
        pool: list of unit; air_pool: list of text; units: list of unit; air: list of air_unit; cadre: unit;
        cadres: list of unit; stock: map of num; adjacent_enemy: list of unit; converted_before: int;
        line: one of none; counters: list of counter
        """,
        """
        verdict: verdict; verdicts: list of verdict; cost: num; kind: one of armor non_armor air; gained: map of num;
        stock: map of num; pool: list of text; air_pool: list of text; in_play: list of text; change: map of num;
        forfeits: text; acts_this_turn: bool
        """,
        "replace rebuild scrap convert upgrade withdraw general_supply",
        "",
    ),
    "allowed": (
        """
        player: player; turn: text; phase: phase; step: air_step; flags: list of flag; nat: text; units: list of unit;
        air: list of air_unit; supply_counters: list of counter; hex: map of text or int; plan: map of text;
        enemy_distance: map of int; attack_force: list of text; box: map of int; vichy: vichy;
        free_french: map of int; delta_aa: map of int
        """,
        """
        verdict: verdict; verdicts: list of verdict; radius: int; modifier: int; drawn: int; placed_at: text
        """,
        """
        move attack attack_order exploit deploy supply_move reinforce ship air_base invade_levant
        break_rail demolish_port damage_airbase scrap air_repair ground_support bomb_airbase patrol_attack
        intercept split_interceptors fifth_army tripolitania raid vichy_roll plan_special cancel_special
        seaborne land_second_wave end_turn
        """,
        "",
    ),
    "dice_table": (
        """
        table!: one of greece italian_disarray raid vichy; turn: text; items: list of cargo_item; grant_before: grant
        """,
        """
        results: list of one of operative inoperative eliminated intact pool; inoperative: int; grant: grant
        """,
        "",
        "setup raid vichy greece_ground greece_air",
    ),
    "score": (
        """
        turn: text; player: player; tally: map of num; events: list of event; check: text; checks: list of text;
        held: list of holding; cities: map of any; holds_all: holding; holds_all_but_one: holding; garrison: garrison;
        operation: operation; australians: map of num; at_end: map of num
        """,
        """
        change: map of num; vp: map of num; award: map of num; awards: list of map of num; garrison_re: num;
        garrison_hq: int; game_over: bool; level: text
        """,
        "",
        "",
    ),
    "lookup": (
        """
        table!: table; columns!: list of text; inputs!: int
        """,
        """
        rows!: list of any
        """,
        "",
        "",
    ),
    "figures": (
        """
        units: list of unit; air: list of air_unit; divisions: list of list of unit
        """,
        """
        attack: list of num; defense: list of num; movement: list of num; overrun: list of num; re: list of num;
        heavy: list of bool; is_division: list of bool
        """,
        "",
        "",
    ),
    "calendar": (
        """

        query!: one of phases air_steps deployment mission_order earliest_operation special_withdrawal
        free_french_rp victory_checks game_length tunisia_entry levant_railroad;
        turn: text; player: player; missions: list of mission_flight
        """,
        """
        turn: text; turns: list of text; moment: text; phases: list of text; steps: list of air_step;
        players: list of player; missions: list of text; count: int; hexes: list of text
        """,
        "",
        "",
    ),
}
"""What each form has under ``given`` and ``expect``, the orders and the kinds of dice it knows."""
