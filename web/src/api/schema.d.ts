// Made by `npm run types` from openapi.json. Not to be edited.
export interface paths {
    "/api/v1/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a plan will cost, without corrections. */
        post: operations["estimate_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Which calls a command will make, and what they will cost. */
        post: operations["forecast_cost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys of whoever asks; of one user or of all for those who look after the server. */
        get: operations["list_keys"];
        put?: never;
        /** Makes a key. The answer alone has it whole, and is not given again for the same `Idempotency-Key`. */
        post: operations["make_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a key back; it does not hold from now on. */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/manuscripts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings a manuscript in: as chapters of a book, or as a reference beside it. */
        post: operations["import_manuscript"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is remembered: last changed first, or what fits some words best. */
        get: operations["list_memories"];
        put?: never;
        /** Remembers what the user says. */
        post: operations["remember"];
        /** Forgets everything; gives how much it was. */
        delete: operations["forget_memories"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories/{memory}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forgets a memory; gives it as it was. */
        delete: operations["forget_memory"];
        options?: never;
        head?: never;
        /** Changes the words of a memory, or switches it on or off. */
        patch: operations["edit_memory"];
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The providers, what is set up, and who serves which role. */
        get: operations["list_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{provider}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Keeps the key of a provider in a file of the data folder. It counts at once, and is never returned. */
        put: operations["keep_model_key"];
        post?: never;
        /** Takes the key of a provider out of the file. */
        delete: operations["forget_model_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks every provider with a key which models the key can use. Preferences such as `deepseek/best` are resolved against what is listed. */
        post: operations["refresh_models"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks a model for a few words and a small JSON value, and tells what came back. Costs a few tokens. */
        post: operations["try_model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What models cost, by name; a name with a trailing `*` stands for any ending. */
        get: operations["list_prices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All projects, newest first. */
        get: operations["list_projects"];
        put?: never;
        /** Begins a project without any piece. */
        post: operations["begin_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The project itself, without its story; cheap. */
        get: operations["workspace_read_project"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts what can be counted in a project's texts, or in one chapter. */
        get: operations["analyze_project"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answers a question from a project, with its sources. */
        post: operations["ask_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Several changes made exactly as they are given, all or none, in one transaction. */
        post: operations["workspace_change_several"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The chapters of a project as a file. */
        get: operations["download_book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The branches of a project. */
        get: operations["list_branches"];
        put?: never;
        /** Begins a branch of a project, at a change or as it is. */
        post: operations["begin_branch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/branches/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a branch with all that was done on it. */
        delete: operations["delete_branch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/branches/{name}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a branch and its project have that the other has not. */
        get: operations["compare_branch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/branches/{name}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes what was done on a branch into its project. */
        post: operations["merge_branch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done to a project's story, oldest first. */
        get: operations["list_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/changes/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a change back, as a change of its own. */
        post: operations["undo_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/chapters/{chapter}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The text of a chapter as it stands. */
        get: operations["read_chapter"];
        /** Puts a text in the place of a chapter's; what the story has from it follows. */
        put: operations["edit_chapter"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/characters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind character, in order. */
        get: operations["workspace_list_character"];
        put?: never;
        /** A new character. */
        post: operations["workspace_add_character"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/characters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One character, by its id or name. */
        get: operations["workspace_read_character"];
        /** Sets fields of one character; those that are left out stay as they are. */
        put: operations["workspace_set_character"];
        post?: never;
        /** Takes one character out. */
        delete: operations["workspace_remove_character"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/characters/{id}/analyze-arc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How a character changes: appearances, turns, gaps. */
        post: operations["workspace_analyze_arc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks a story with the rules of the checker. */
        get: operations["check_story"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compares the texts of a project, or one of them, at two points of its past. */
        get: operations["compare_texts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The content of a production as a file. */
        get: operations["download_content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind document, in order. */
        get: operations["workspace_list_document"];
        put?: never;
        /** A new document. */
        post: operations["workspace_add_document"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/documents/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One document, by its id or name. */
        get: operations["workspace_read_document"];
        /** Sets fields of one document; those that are left out stay as they are. */
        put: operations["workspace_set_document"];
        post?: never;
        /** Takes one document out. */
        delete: operations["workspace_remove_document"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/documents/{document}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts a version of a document back, as a new version. */
        post: operations["restore_version"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/documents/{document}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions of a text, oldest first. */
        get: operations["workspace_list_versions"];
        put?: never;
        /** Keeps a text as it stands as a version. */
        post: operations["workspace_keep_version"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/exports/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The chapters of a project as a file. `/book` beside it gives the bytes alone. */
        get: operations["export_book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/exports/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a production has made, as files. `/content` beside it gives the bytes of one. */
        post: operations["export_content"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the story says about something, with the sentences that say it. */
        post: operations["ask_facts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/field": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A field with its value. */
        get: operations["read_field"];
        /** Puts a value into a field; what was made from it becomes stale. */
        put: operations["put_field"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/fields/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says that fields are good as they are. */
        post: operations["confirm_fields"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of a project: characters, dialogue, appearances, progress. */
        get: operations["read_statistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/findings/{finding}/waive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a finding be, for a reason. */
        post: operations["waive_finding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A story's graph, or what a pattern finds in it. */
        get: operations["read_graph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a change of a piece touches. */
        get: operations["read_impact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many passages of a project have a vector of the embedder in the settings. */
        get: operations["read_index"];
        put?: never;
        /** Makes the vectors that are missing, or the whole index anew. */
        post: operations["build_index"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind item, in order. */
        get: operations["workspace_list_item"];
        put?: never;
        /** A new item. */
        post: operations["workspace_add_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One item, by its id or name. */
        get: operations["workspace_read_item"];
        /** Sets fields of one item; those that are left out stay as they are. */
        put: operations["workspace_set_item"];
        post?: never;
        /** Takes one item out. */
        delete: operations["workspace_remove_item"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind location, in order. */
        get: operations["workspace_list_location"];
        put?: never;
        /** A new location. */
        post: operations["workspace_add_location"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/locations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One location, by its id or name. */
        get: operations["workspace_read_location"];
        /** Sets fields of one location; those that are left out stay as they are. */
        put: operations["workspace_set_location"];
        post?: never;
        /** Takes one location out. */
        delete: operations["workspace_remove_location"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/mend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Carries out what findings propose where one way is certain. */
        post: operations["mend_story"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/nodes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One outline node, by its id or name. */
        get: operations["workspace_read_outline_node"];
        /** Sets fields of one outline node; those that are left out stay as they are. */
        put: operations["workspace_set_outline_node"];
        post?: never;
        /** Takes one outline node out. */
        delete: operations["workspace_remove_outline_node"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind organisation, in order. */
        get: operations["workspace_list_organisation"];
        put?: never;
        /** A new organisation. */
        post: operations["workspace_add_organisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/organisations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One organisation, by its id or name. */
        get: operations["workspace_read_organisation"];
        /** Sets fields of one organisation; those that are left out stay as they are. */
        put: operations["workspace_set_organisation"];
        post?: never;
        /** Takes one organisation out. */
        delete: operations["workspace_remove_organisation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/outline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind outline node, in order. */
        get: operations["workspace_list_outline_node"];
        /** Puts these nodes in the place of the outline; or sets fields of one, by its id. */
        put: operations["workspace_set_outline"];
        /** A new outline node. */
        post: operations["workspace_add_outline_node"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/outline/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds an outline on a structure, from what is known of the story; the outline must be empty. */
        post: operations["workspace_generate_outline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/pieces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole story, of one moment. */
        get: operations["workspace_read_story"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/plot-nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind plot node, in order. */
        get: operations["workspace_list_plot_node"];
        put?: never;
        /** A new plot node. */
        post: operations["workspace_add_plot_node"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/plot-nodes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One plot node, by its id or name. */
        get: operations["workspace_read_plot_node"];
        /** Sets fields of one plot node; those that are left out stay as they are. */
        put: operations["workspace_set_plot_node"];
        post?: never;
        /** Takes one plot node out. */
        delete: operations["workspace_remove_plot_node"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/production": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A production as it stands: its phases and fields. */
        get: operations["read_production"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/production/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The fields of the production, in order. */
        get: operations["workspace_list_fields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/production/fields/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** A field as it is from now on, new or in the place of the one with its path. */
        put: operations["workspace_set_field"];
        post?: never;
        /** Takes a field out. */
        delete: operations["workspace_remove_field"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/production/phases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How content is produced: phases, criteria, channels; null if it is not. */
        get: operations["workspace_read_phases"];
        /** Sets how content is produced. */
        put: operations["workspace_set_phases"];
        post?: never;
        /** Content is no longer produced. */
        delete: operations["workspace_remove_phases"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/promises": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind promise, in order. */
        get: operations["workspace_list_promise"];
        put?: never;
        /** A new promise. */
        post: operations["workspace_add_promise"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/promises/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One promise, by its id or name. */
        get: operations["workspace_read_promise"];
        /** Sets fields of one promise; those that are left out stay as they are. */
        put: operations["workspace_set_promise"];
        post?: never;
        /** Takes one promise out. */
        delete: operations["workspace_remove_promise"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/provenance/{kind}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The change that made a piece what it is. */
        get: operations["workspace_read_provenance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Settles a story again from its prose. */
        post: operations["reconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/relationships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind relation, in order. */
        get: operations["workspace_list_relation"];
        put?: never;
        /** A new relation. */
        post: operations["workspace_add_relation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/relationships/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One relation, by its id or name. */
        get: operations["workspace_read_relation"];
        /** Sets fields of one relation; those that are left out stay as they are. */
        put: operations["workspace_set_relation"];
        post?: never;
        /** Takes one relation out. */
        delete: operations["workspace_remove_relation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/relationships/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Who stands in the middle of the relations, and which groups there are. */
        post: operations["workspace_analyze_relationships"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/relationships/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Characters and what is between them. */
        get: operations["workspace_read_relationships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reviews a project's texts, or one chapter: sensitive words, copies, rules of a platform. */
        post: operations["review_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finds passages and pieces, with the reason for each hit. Putting them in order by a model needs the right to write, since it costs. */
        post: operations["search_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind fact, in order. */
        get: operations["workspace_list_fact"];
        put?: never;
        /** A new fact. */
        post: operations["workspace_add_fact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/statements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One fact, by its id or name. */
        get: operations["workspace_read_fact"];
        /** Sets fields of one fact; those that are left out stay as they are. */
        put: operations["workspace_set_fact"];
        post?: never;
        /** Takes one fact out. */
        delete: operations["workspace_remove_fact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/story": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The story of a project as it was after a change, or as it is. */
        get: operations["read_story"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/style": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The style; null if there is none. */
        get: operations["workspace_read_style"];
        /** Sets fields of the style. */
        put: operations["workspace_set_style"];
        post?: never;
        /** Takes the style out. */
        delete: operations["workspace_remove_style"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The project that is named by its id, the beginning of it, or one of its runs. */
        get: operations["find_project"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind event, in order. */
        get: operations["workspace_list_event"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/timeline-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The events of the timeline, or those that a chapter tells. */
        get: operations["workspace_list_told_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/timeline/check-conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What cannot be, of the events of one character, of one outline node, or all. */
        post: operations["workspace_check_timeline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/timeline/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new event. */
        post: operations["workspace_add_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/timeline/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One event, by its id or name. */
        get: operations["workspace_read_event"];
        /** Sets fields of one event; those that are left out stay as they are. */
        put: operations["workspace_set_event"];
        post?: never;
        /** Takes one event out. */
        delete: operations["workspace_remove_event"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/tools/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Calls a tool on a project. A failure of the tool is data, not an error; a tool that needs a higher right refuses. */
        post: operations["call_tool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything about a project: its story, its runs, what it cost, who made each piece. */
        get: operations["show_project"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/waivers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The findings that the author lets stand. */
        get: operations["workspace_list_waivers"];
        /** Puts findings that the author lets stand in the place of those before. */
        put: operations["workspace_set_waivers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/world-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All pieces of the kind world rule, in order. */
        get: operations["workspace_list_world_rule"];
        put?: never;
        /** A new world rule. */
        post: operations["workspace_add_world_rule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/world-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One world rule, by its id or name. */
        get: operations["workspace_read_world_rule"];
        /** Sets fields of one world rule; those that are left out stay as they are. */
        put: operations["workspace_set_world_rule"];
        post?: never;
        /** Takes one world rule out. */
        delete: operations["workspace_remove_world_rule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project}/worldview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The worldview; null if there is none. */
        get: operations["workspace_read_worldview"];
        /** Sets fields of the worldview. */
        put: operations["workspace_set_worldview"];
        post?: never;
        /** Takes the worldview out. */
        delete: operations["workspace_remove_worldview"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A prompt: as it is built in, as the author has it, what it may use, and how it is filled. */
        get: operations["read_prompt"];
        /** Puts a text in the place of a prompt, for all runs from now on. One that could not be filled is refused with the line. */
        put: operations["write_prompt"];
        post?: never;
        /** Takes the author's text away, so that the prompt is as it is built in. */
        delete: operations["delete_prompt"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prompt/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How a prompt would be filled with this text in its place. Nothing is kept. */
        post: operations["preview_prompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All prompts, by name, and which of them the author has replaced. */
        get: operations["list_prompts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rules of the checker, with examples. */
        get: operations["list_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs, newest first; all of them without any wish. */
        get: operations["list_runs"];
        put?: never;
        /** Sets a run to work; it goes on by itself. Follow it at its events. */
        post: operations["start_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A run as it stands: what it made, what it cost, what it asks. */
        get: operations["read_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a run at its last checkpoint; it can be resumed. */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a run tells, as server-sent events: first from its log, then as it happens, until nothing more will come. */
        get: operations["watch_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of what a run told, oldest first, at most 256 events; ask again after the last one for more. */
        get: operations["read_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A run as it stands in lists. */
        get: operations["find_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts the sample book of a language on the shelf: a short novel with all that it was made with. */
        post: operations["begin_sample"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The effective settings, and where each comes from. Secrets are not shown. */
        get: operations["read_settings"];
        /** Writes a setting into the settings file, or into that of a project, and leaves the rest of the file as it is. What starts programs, names files or says where keys are sent can be set by whoever works at the server's machine only. */
        put: operations["set_setting"];
        post?: never;
        /** Takes a setting out of the settings file, or out of that of a project. */
        delete: operations["unset_setting"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/mcp_servers/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts or reaches a server of tools that the settings name, and lists what it has. */
        post: operations["check_mcp_server"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/spending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was spent, of a project or run or of all. */
        get: operations["read_spending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a project of a story. */
        post: operations["import_story"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stories/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the rules find in a story that is no project. */
        post: operations["check_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The templates that a production can begin with. */
        get: operations["list_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/texts/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counts what can be counted in a text. */
        post: operations["analyze_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/texts/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reviews a text. */
        post: operations["review_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tools, with the schemas of their parameters. */
        get: operations["list_tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users. */
        get: operations["list_users"];
        put?: never;
        /** Adds a user. */
        post: operations["add_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A chapter that is done, as a short row. */
        AcceptedChapter: {
            /**
             * Format: uint32
             * @description Model calls for it.
             * @default 0
             */
            calls?: number;
            /**
             * @description Whether its prose changed.
             * @default false
             */
            changed?: boolean;
            /**
             * Format: uint32
             * @description Its number.
             * @default 0
             */
            chapter?: number;
            /**
             * Format: uint64
             * @description Their price in millionths of the currency, as far as it is known.
             * @default 0
             */
            cost_micros?: number;
            /**
             * @description The document that has the prose.
             * @default
             */
            document?: string;
            /** @description What a reading found, worst first; empty for chapters that were written. */
            findings?: components["schemas"]["ChapterFinding"][];
            /**
             * @description Whether it was taken although its review did not pass.
             * @default false
             */
            forced?: boolean;
            /**
             * @description The outline node.
             * @default
             */
            node?: string;
            /**
             * @description Whether a model has read the text as it was kept.
             * @default false
             */
            read?: boolean;
            /**
             * Format: uint32
             * @description How often it was mended or written again.
             * @default 0
             */
            retries?: number;
            /**
             * Format: uint8
             * @description The score of its last review; none if there was no review.
             * @default null
             */
            score?: number | null;
            /**
             * @description What settlement brought into the story.
             * @default {
             *       "cards": 0,
             *       "events": 0,
             *       "facts": 0,
             *       "promises": 0,
             *       "questions": 0,
             *       "rejected": 0
             *     }
             */
            settled?: components["schemas"]["SettledCounts"];
            /**
             * @description Its title.
             * @default
             */
            title?: string;
            /**
             * Format: uint64
             * @description Their tokens.
             * @default 0
             */
            tokens?: number;
            /**
             * Format: uint64
             * @description The version of the project that holds it.
             * @default 0
             */
            version?: number;
            /**
             * Format: uint32
             * @description Chinese characters and English words.
             * @default 0
             */
            words?: number;
        };
        /** @description What kind of change. */
        Action: "create" | "update" | "delete";
        /** @description One of several things a tool does, chosen by the argument `action`. */
        Action2: {
            /** @description The word. */
            name: string;
            /** @description What a caller must be allowed. */
            permission: components["schemas"]["Permission"];
            /** @description As [`Metadata::pure`]. */
            pure: boolean;
        };
        /** @description An entry that a document added to a piece that was there. */
        Added: {
            /** @description The entry. */
            entry: unknown;
            /** @description The list, such as `planted` or `known_by`. */
            field: string;
            /** @description Its id. */
            id: string;
            /** @description What was added to. */
            kind: string;
            /** @description The words of the document. */
            quote?: string;
        };
        /** @description The agents whose work can be corrected, in the order in which they are restarted. */
        Agent: "outline_agent" | "character_agent" | "plot_agent" | "worldview_agent" | "style_agent";
        /** @description What came of a task. */
        AgentResult: {
            /**
             * @description Who did it.
             * @default
             */
            agent?: string;
            /**
             * Format: double
             * @description The share of what could be verified that was verified, from 0 to 1; 0 if nothing could be.
             * @default 0
             */
            confidence?: number;
            /**
             * @description The result as data.
             * @default {
             *       "kind": ""
             *     }
             */
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description What was made or found, for people.
             * @default
             */
            output?: string;
            /**
             * @description How it came about, a line each.
             * @default []
             */
            reasoning?: string[];
            /**
             * @description The task.
             * @default
             */
            task_id?: string;
            /**
             * @description The tools that were called, in order.
             * @default []
             */
            tool_calls?: components["schemas"]["ToolUse"][];
        };
        /** @description A text that was counted. */
        Analysed: {
            /** @description The id of the document, if it is one chapter of a project. */
            document?: string | null;
            /** @description What was counted. Spans are bytes of the text; of a whole project, whose chapters are joined by an empty line. */
            figures: components["schemas"]["Figures"];
            /** @description What it is called. */
            title: string;
        };
        /** @description Something that is so, or is said to be. */
        Answer: {
            /** @description Who says so, if somebody does. */
            by?: string | null;
            /** @description Whether it certainly holds as of then; otherwise its beginning is not known. */
            certain: boolean;
            /** @description The id of the fact; none if it follows from a card, a relation or an event. */
            fact?: string | null;
            /** @description Who knows it by then. */
            known_by: components["schemas"]["KnownBy"][];
            /** @description How it is told. What is not narrated or told in a flashback is not certain to be so. */
            mode: components["schemas"]["Mode"];
            /** @description What is on the other side. */
            object?: string | null;
            /** @description The predicate, by its name in the vocabulary if it is there. */
            predicate: string;
            /** @description The sentence that says so, and where it stands. */
            says: components["schemas"]["Evidence"];
            /** @description Who or what it is about. */
            subject: string;
            /** @description The unit of the value. */
            unit: string;
            /** @description The value, if there is one. */
            value: unknown;
        };
        /** @description An answer with its sources. */
        Answered: {
            /** @description The answer. */
            answer: string;
            /** @description What it rests on: numbers of passages, and sentences that they hold. */
            citations: components["schemas"]["Quoted"][];
            /** @description Whether the material holds it. */
            holds: boolean;
            /**
             * Format: uint
             * @description How many passages did not fit the budget.
             */
            left_out: number;
            /** @description Who answered. */
            model: string;
            /** @description The passages that were looked at, with where they stand. They are data, whatever they say. */
            passages: components["schemas"]["Passage"][];
            /** @description The question as a pattern over the graph. */
            pattern?: string | null;
            /** @description What was asked. */
            question: string;
            /** @description The quality by which the answers are ranked, if the most or least of one is asked for. */
            rank?: components["schemas"]["Rank"] | null;
            /** @description Whether a model read the pattern; otherwise the rules did. */
            read_by_model: boolean;
            /** @description What the graph says of each passage, in their order. */
            ties: components["schemas"]["Tied"][][];
            /** @description What it took. */
            usage: components["schemas"]["Usage"];
        };
        /** @description How often somebody appears. */
        Appearances: {
            /** @description In which chapters, by their place in reading order. */
            chapters: number[];
            /** @description The id of the card. */
            id: string;
            /**
             * Format: uint
             * @description How often the name or an alias stands in the text.
             */
            mentions: number;
            /** @description The name. */
            name: string;
            /**
             * Format: uint
             * @description In how many chapters the outline has them.
             */
            planned: number;
            /** @description The role. */
            role: components["schemas"]["RoleType"];
            /**
             * Format: uint
             * @description How many speeches are said to be theirs.
             */
            speeches: number;
            /**
             * Format: uint
             * @description The length of those speeches.
             */
            spoken: number;
        };
        /** @description Whether what was worked out is saved. */
        Apply: "show" | "save";
        /** @description What is asked about a project. */
        AskRequest: {
            /**
             * Format: uint32
             * @description Only what is told before this chapter.
             */
            before?: number | null;
            /**
             * Format: uint64
             * @description What the passages may cost, in tokens; 6,000 if left out.
             */
            budget?: number | null;
            /** @description The question. */
            question: string;
        };
        /** @description What is wanted of the user. */
        Asks: "anything" | "answer" | "confirm" | "choose";
        /** @description One question. */
        AuthorQuestion: {
            /**
             * Format: uint32
             * @description The chapter that it came up in.
             */
            chapter: number;
            /** @description Names it in the answers; stable. */
            id: string;
            /** @description The title of that chapter. */
            title: string;
        } & ({
            /** @constant */
            about: "draft_kept";
            /** @description The document. */
            document: string;
            /** @description The draft. */
            text: string;
        } | {
            /** @constant */
            about: "below_floor";
            /** @description How it falls short. */
            shortfalls: components["schemas"]["Shortfall"][];
            /** @description The draft. */
            text: string;
        } | {
            /** @constant */
            about: "settlement";
            /** @description Who or what may be meant. */
            candidates: components["schemas"]["Choice"][];
            /**
             * Format: float
             * @description From 0 to 1.
             */
            confidence: number;
            /** @description What is not clear. */
            doubt: components["schemas"]["Doubt"];
            /** @description What the chapter says, in a line. */
            label: string;
            /** @description What kind of piece it would be. */
            piece: components["schemas"]["PieceKind"];
            /** @description The words of the chapter. */
            quote: string;
        });
        /** @description The payload of the interrupt at a chapter below the floor, or at the end of a run. */
        AuthorQuestions: {
            /**
             * @description The questions, in the order of the chapters.
             * @default []
             */
            questions?: components["schemas"]["AuthorQuestion"][];
        };
        /** @description Whether a phase waits for a person at its end. */
        Autonomy: "wait" | "auto";
        /** @description What a verdict rests on. */
        Basis: {
            /** @description The chapters that have a text, and how far each has been read. */
            chapters?: components["schemas"]["ChapterCoverage"][];
            /**
             * @description Who judged the material.
             * @default rules
             */
            judge?: components["schemas"]["Judge"];
            /**
             * Format: uint
             * @description How many pieces were looked at.
             * @default 0
             */
            pieces?: number;
            /**
             * @description The rules that ran and those that could not look.
             * @default {
             *       "clean": 0,
             *       "off": 0,
             *       "run": 0
             *     }
             */
            rules?: components["schemas"]["RuleCoverage"];
            /** @description The steps of the plan and how each ended; empty outside of a run that plans. */
            steps?: components["schemas"]["PlannedStep"][];
        };
        /** @description Why a piece depends on another. */
        Because: "refers_to" | "mentions" | "says" | "tells" | "says_the_same";
        /** @description The parts of a length. */
        Bin: {
            /**
             * Format: uint
             * @description How many.
             */
            count: number;
            /**
             * Format: uint
             * @description The least length.
             */
            from: number;
            /**
             * Format: uint
             * @description The greatest length; none for the last bin.
             */
            to?: number | null;
        };
        /** @description Rules that could not look, because the story has none of a kind of piece. */
        BlindRules: {
            /** @description The codes of the rules. */
            codes: string[];
            /** @description The kind that the story has none of. */
            missing: string;
        };
        /** @description A book as a file. */
        BookFile: {
            /** @description The file; in documents as base64. */
            bytes: string;
            /** @description What was written. */
            exported: components["schemas"]["Exported"];
            /** @description The ending of the file, such as `epub`. */
            extension: string;
        };
        /** @description As what a book is taken away. */
        BookForm: "markdown" | "txt" | "qidian" | "fanqie" | "epub" | "docx";
        /** @description What became of chapters. */
        BookMade: {
            /** @description The run in a line, or why it could not go on. */
            answer: string;
            /** @description The briefs, if there is no prose. */
            briefs: components["schemas"]["Brief"][];
            /** @description The chapters that are done, in the order of the work. */
            chapters: components["schemas"]["AcceptedChapter"][];
            /** @description Whether it ended because of something that resuming does not help. */
            has_failed: boolean;
            /** @description What was to be done. */
            task: components["schemas"]["WritingTask"];
        };
        /** @description A branch and its project, side by side. */
        BranchComparison: {
            /** @description The branch. */
            branch: components["schemas"]["BranchRow"];
            /** @description The pieces that either side has changed. */
            pieces: components["schemas"]["BranchPiece"][];
            /** @description What is different in texts, from the project to the branch. */
            texts: components["schemas"]["TextDifference"][];
        };
        /** @description A piece that the project or the branch has changed since they parted. */
        BranchPiece: {
            /** @description What the branch has done to it. */
            branch: components["schemas"]["Fate"];
            /** @description Whether the two do not agree. */
            conflict: boolean;
            /** @description Its id. */
            id: string;
            /** @description What kind. */
            kind: string;
            /** @description Its name or title. */
            name: string;
            /** @description What the project has done to it. */
            project: components["schemas"]["Fate"];
        };
        /** @description A branch in a list. */
        BranchRow: {
            /**
             * Format: uint64
             * @description The change of its log up to which both sides know of each other.
             */
            base: number;
            /** @description What it is called as a branch. */
            branch?: string | null;
            /** @description The project that it is a branch of, if it is one. */
            branch_of?: string | null;
            /**
             * Format: date-time
             * @description When it began.
             */
            created: string;
            /** @description The language of the work. */
            language: components["schemas"]["Language"];
            /** @description What it is called. */
            name: string;
            /** @description The words it began with. */
            premise: string;
            /** @description Its id. */
            project: string;
            /** @description Its title. */
            title: string;
            /**
             * Format: uint32
             * @description How many of its chapters no model has read as they stand; none where that was not counted.
             */
            unread?: number | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated: string;
            /**
             * Format: uint64
             * @description Grows with each change.
             */
            version: number;
        };
        /** @description What somebody needs who writes a chapter by hand. */
        Brief: {
            /**
             * @description What must be known: the context card.
             * @default
             */
            card?: string;
            /**
             * Format: uint32
             * @description The number of the chapter.
             * @default 0
             */
            chapter?: number;
            /**
             * @description Whether the plan was made from the outline alone.
             * @default false
             */
            from_outline?: boolean;
            /**
             * @description What is to happen; gaps are marked `〔待写〕`.
             * @default {
             *       "goal": "",
             *       "must_avoid": [],
             *       "must_keep": [],
             *       "point_of_view": "",
             *       "reasoning": [],
             *       "scenes": [],
             *       "searches": [],
             *       "task_type": ""
             *     }
             */
            plan?: components["schemas"]["ChapterPlan"];
            /**
             * @description Its title.
             * @default
             */
            title?: string;
            /**
             * Format: uint32
             * @description Chinese characters or English words that it is to have.
             * @default 0
             */
            words?: number;
        };
        /** @description What came of a manuscript. */
        Brought: {
            /** @description Whether this very manuscript had been brought in before. */
            again: boolean;
            /** @description The author, if it says so. */
            author?: string | null;
            /**
             * Format: uint64
             * @description The change that holds all of it; none if all was there already.
             */
            change?: number | null;
            /** @description The chapters, or the reference as one. */
            chapters: components["schemas"]["BroughtChapter"][];
            /** @description The proof that nothing was lost. */
            coverage: components["schemas"]["Coverage"];
            /** @description Whether nothing was done, since only to say it was asked. */
            dry_run: boolean;
            /** @description As what its bytes were taken. */
            encoding?: components["schemas"]["Encoding"] | null;
            /** @description The format. */
            format: components["schemas"]["Format"];
            /** @description The language. */
            language: components["schemas"]["Language"];
            /** @description What was not taken over. */
            left_out: components["schemas"]["LeftOut"][];
            /** @description The project; none if there would have been a new one. */
            project?: components["schemas"]["ProjectRow"] | null;
            /** @description What it became. */
            role: components["schemas"]["ManuscriptRole"];
            /** @description What the chapters that are new or replaced say, as the rules read them. */
            settled: components["schemas"]["SettledBook"];
            /** @description The title. */
            title: string;
            /** @description What looks wrong. */
            warnings: components["schemas"]["Warning"][];
        };
        /** @description A chapter of a manuscript, and what became of it. */
        BroughtChapter: {
            /**
             * Format: uint
             * @description How many characters it has, spaces not counted.
             */
            characters: number;
            /** @description The id of its document. */
            document?: string | null;
            /** @description What became of it. */
            state: components["schemas"]["ChapterState"];
            /** @description Its title in the story. */
            title: string;
            /** @description Its volume. */
            volume?: string | null;
        };
        /** @description A piece that may be meant. */
        Candidate: {
            /** @description Its id. */
            id: string;
            /** @description What it is. */
            kind: components["schemas"]["PieceKind"];
            /** @description Its name. */
            name: string;
        };
        /** @description What an issue touches. */
        Category: "consistency" | "completeness" | "rationality" | "quality";
        /** @description What a tool is for. */
        Category2: "writing" | "analysis" | "knowledge" | "content" | "research" | "admin" | "external";
        /** @description What a change did. */
        Changed: {
            /** @description The fields that a list has got. */
            added: string[];
            /** @description The field that was changed. */
            path: string;
            /** @description The empty fields that a list has no entry for any more. */
            removed: string[];
            /** @description The fields that are stale now and were not before, in order. */
            stale: string[];
            /**
             * Format: uint32
             * @description Its version from now on; the one it had if the value is the same.
             */
            version: number;
        };
        /** @description Who makes a change, and how. */
        ChangeProvenance: {
            /**
             * @description The agent, `person`, or a foreign client.
             * @default
             */
            agent?: string;
            /**
             * @description The model.
             * @default null
             */
            model?: string | null;
            /**
             * @description A word on it, such as the label of a version; kept where the store has room for it.
             * @default
             */
            note?: string;
            /**
             * @description The hash of the prompt, if a model asked for it.
             * @default null
             */
            prompt_hash?: string | null;
            /**
             * @description The run, if it belongs to one.
             * @default null
             */
            run?: string | null;
            /**
             * @description The tool.
             * @default
             */
            tool?: string;
        };
        /** @description A change in the log of a story. */
        ChangeRow: {
            /** @description The agent, or `person`. */
            agent: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /**
             * Format: uint64
             * @description Its number; also the version of the project from then on.
             */
            change: number;
            /** @description The model. */
            model?: string | null;
            /** @description The pieces that were put in. */
            put: components["schemas"]["PieceName"][];
            /** @description The pieces that were taken out. */
            removed: components["schemas"]["PieceName"][];
            /** @description What made it: a run, or a command such as `import`. */
            run: string;
            /**
             * Format: uint64
             * @description The tokens of the calls.
             */
            tokens: number;
            /**
             * Format: uint64
             * @description The change that it took back, if it did.
             */
            undoes?: number | null;
        };
        /** @description A place that content goes to, with the form it has there. */
        Channel: {
            /**
             * @description The ending of the file, such as `md`.
             * @default
             */
            extension?: string;
            /**
             * Format: uint
             * @description How long a text may be there, in characters.
             */
            limit?: number | null;
            /**
             * @description The name, such as `wechat`.
             * @default
             */
            name?: string;
            /**
             * @description The text there, as a template over the production's fields.
             * @default
             */
            template?: string;
            /**
             * @description The name for people.
             * @default
             */
            title?: string;
        };
        /** @description A chapter, and how far its current text has been read. */
        ChapterCoverage: {
            /**
             * Format: uint32
             * @description Its place in reading order, counted from 1.
             * @default 0
             */
            chapter?: number;
            /**
             * @description The id of its document.
             * @default
             */
            document?: string;
            /** @description The newest reading by a model, be it of this text or of an earlier one. */
            read?: components["schemas"]["ReadMark"] | null;
            /**
             * @description How far that text has been read.
             * @default unread
             */
            state?: components["schemas"]["ReadState"];
            /**
             * @description Its title.
             * @default
             */
            title?: string;
            /**
             * Format: uint32
             * @description The version of its current text.
             * @default 0
             */
            version?: number;
        };
        /** @description A finding about a chapter, of a rule or of the reviewer. */
        ChapterFinding: {
            /**
             * @description The other side of a contradiction: words that stand elsewhere.
             * @default []
             */
            against?: string[];
            /**
             * @description The rule's code, if a rule found it.
             * @default null
             */
            code?: string | null;
            /**
             * @description The dimension, if the reviewer found it.
             * @default null
             */
            dimension?: components["schemas"]["Dimension"] | null;
            /**
             * @description What would mend it.
             * @default
             */
            fix?: string;
            /**
             * @description The same for the same thing in later reviews: of the rule, or of the dimension and the words that show it.
             * @default
             */
            id?: string;
            /**
             * @description The words of the chapter that show it; empty if they cannot be shown.
             * @default
             */
            quote?: string;
            /**
             * @description How bad it is.
             * @default medium
             */
            severity?: components["schemas"]["Severity"];
            /**
             * @description In a line.
             * @default
             */
            title?: string;
            /**
             * @description Why it is wrong.
             * @default
             */
            why?: string;
        };
        /** @description What the model understood of a chapter: the answer of `chapter.understand`. */
        ChapterPlan: {
            /**
             * @description What the chapter must achieve for the story.
             * @default
             */
            goal?: string;
            /**
             * @description What must not happen or be told yet.
             * @default []
             */
            must_avoid?: string[];
            /**
             * @description What must stay as it is or must be said.
             * @default []
             */
            must_keep?: string[];
            /**
             * @description Whose eyes it is seen through, by name; empty if nobody's.
             * @default
             */
            point_of_view?: string;
            /**
             * @description How this was understood, a sentence each.
             * @default []
             */
            reasoning?: string[];
            /**
             * @description Its scenes in order; at least one.
             * @default []
             */
            scenes?: components["schemas"]["ScenePlan"][];
            /**
             * @description What should be looked up in the book before writing: words that stand there.
             * @default []
             */
            searches?: string[];
            /**
             * @description The kind of work in a word, such as `draft`.
             * @default
             */
            task_type?: string;
        };
        /** @description Counts of one chapter. */
        ChapterRow: {
            /**
             * Format: double
             * @description What is spoken, from 0 to 1.
             */
            dialogue: number;
            /** @description The id of the document. */
            document: string;
            /**
             * Format: uint
             * @description Chinese characters and Latin words.
             */
            length: number;
            /**
             * Format: uint32
             * @description The place in reading order.
             */
            order: number;
            /**
             * Format: uint
             * @description How many paragraphs.
             */
            paragraphs: number;
            /** @description Who is named most, by name. */
            people: string[];
            /**
             * Format: uint32
             * @description The words planned.
             */
            planned?: number | null;
            /** @description How far the text has been read. */
            reading: components["schemas"]["ReadState"];
            /**
             * Format: double
             * @description The mean length of a sentence.
             */
            sentence: number;
            /**
             * Format: uint
             * @description How many sentences.
             */
            sentences: number;
            /**
             * Format: double
             * @description Written by planned.
             */
            share?: number | null;
            /** @description Its title. */
            title: string;
        };
        /** @description What becomes of a chapter. */
        ChapterState: "new" | "present" | "replaced" | "differs";
        /** @description What happened to a chapter that is written. */
        ChapterStep: {
            /**
             * Format: uint
             * @description How many chapters of the run are done.
             */
            done: number;
            /**
             * Format: uint
             * @description How many the run has.
             */
            of: number;
            /** @constant */
            step: "started";
            /** @description `draft`, `correct`, `rewrite` or `settle`. */
            task: string;
        } | {
            /** @description Why the plan was made from the outline alone, if it was. */
            fallback?: string | null;
            /** @description The scenes, by title. */
            scenes: string[];
            /** @constant */
            step: "planned";
        } | {
            /**
             * Format: uint
             * @description The scene, from 1; none if the chapter was written in one go.
             */
            scene?: number | null;
            /** @constant */
            step: "written";
            /**
             * Format: uint32
             * @description Chinese characters and English words of the chapter so far.
             */
            words: number;
        } | {
            /** @constant */
            step: "reviewed";
            /** @description The verdict. */
            verdict: components["schemas"]["Verdict"];
        } | {
            /**
             * Format: uint
             * @description How many places were mended.
             */
            fixed: number;
            /**
             * Format: uint
             * @description How many fixes did not fit and were left out.
             */
            refused: number;
            /**
             * Format: uint32
             * @description Which attempt, from 1.
             */
            retry: number;
            /** @constant */
            step: "fixed";
        } | {
            /** @description Whether it was taken although its review did not pass. */
            forced: boolean;
            /**
             * Format: uint8
             * @description The score of its last review; none if there was no review.
             */
            score?: number | null;
            /** @constant */
            step: "accepted";
            /**
             * Format: uint32
             * @description Chinese characters and English words.
             */
            words: number;
        } | {
            /** @description What came into the story. */
            counts: components["schemas"]["SettledCounts"];
            /** @constant */
            step: "settled";
            /**
             * Format: uint64
             * @description The version of the project from then on.
             */
            version: number;
        } | {
            /** @constant */
            step: "briefed";
        };
        /** @description A chapter as it is edited. */
        ChapterText: {
            /** @description The id of the document. */
            id: string;
            /** @description The prose. */
            text: string;
            /** @description Its title. */
            title: string;
            /**
             * Format: uint32
             * @description The version of the text.
             */
            version: number;
        };
        /** @description A character card. */
        Character: {
            /**
             * Format: int32
             * @description Years of age at the story's beginning, if known.
             * @default null
             */
            age?: number | null;
            /**
             * @description Other names: nickname, title, alias.
             * @default []
             */
            alias?: string[];
            /**
             * @description How the character changes.
             * @default
             */
            arc?: string;
            /**
             * @description What came before.
             * @default
             */
            background?: string;
            /**
             * @description The year or date of birth in the story's calendar, such as `2045` or `2045-03-01`, if known.
             * @default null
             */
            birth?: string | null;
            /**
             * @description What stands against it, inside and outside.
             * @default
             */
            conflicts?: string;
            /**
             * @description The year or date of death in the story's calendar, if the character dies before or during it.
             * @default null
             */
            death?: string | null;
            /**
             * @description What the character wants.
             * @default
             */
            goals?: string;
            /**
             * @description Given by the studio, such as `c-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * @description The full name; unique in a story.
             * @default
             */
            name?: string;
            /**
             * @description Trade or standing.
             * @default
             */
            occupation?: string;
            /**
             * @description How the character is.
             * @default
             */
            personality?: string;
            /**
             * @description The part in the story.
             * @default supporting
             */
            role_type?: components["schemas"]["RoleType"];
            /**
             * @description Traits, a word or two each.
             * @default []
             */
            traits?: string[];
            /**
             * @description The weakness that can cost something.
             * @default
             */
            weakness?: string;
        };
        /** @description What one character is to another. Directed; several per pair are possible. */
        CharacterRelation: {
            /**
             * @description In a sentence.
             * @default
             */
            description?: string;
            /**
             * @description The name of the character whose relation it is.
             * @default
             */
            from?: string;
            /**
             * @description Given by the studio, such as `r-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * @description The outline node from which it holds, if not from the beginning.
             * @default null
             */
            since?: string | null;
            /**
             * Format: double
             * @description How strong, from 0 to 1.
             * @default 0
             */
            strength?: number;
            /**
             * @description The name of the other.
             * @default
             */
            to?: string;
            /**
             * @description What the other is to them.
             * @default knows
             */
            type?: components["schemas"]["RelationKind"];
            /**
             * @description The outline node at which it ends, if it does.
             * @default null
             */
            until?: string | null;
        };
        /** @description Something that was verified. */
        Check: {
            /**
             * Format: uint32
             * @description How much of it held.
             */
            held: number;
            /**
             * Format: uint32
             * @description Of how much.
             */
            of: number;
            /** @description What was verified, such as `quotes`. */
            what: string;
        };
        /** @description What the rules find in a story. */
        Checkup: {
            /** @description What the score rests on: of all rules, whichever are told of here. */
            basis: components["schemas"]["Basis"];
            /** @description What was found, worst first; what is waived comes last. */
            findings: components["schemas"]["Finding"][];
            /**
             * @description The ids of the findings that mending with the same rules takes away: those that a mending of a copy took away.
             * @default []
             */
            mendable?: string[];
            /**
             * Format: uint8
             * @description From 0 to 100, of what is told of here; none if nothing was checked.
             */
            score?: number | null;
            /**
             * Format: uint64
             * @description The version of the project; 0 for a file.
             */
            version: number;
        };
        /** @description A piece that may be meant. */
        Choice: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        /** @description A text that can be found. */
        Chunk: {
            /** @description What filters ask for. */
            fields: {
                [key: string]: components["schemas"]["Value"][];
            };
            /** @description What is embedded before the text: chapter, place and participants of prose, whose names are often pronouns there. */
            heading: string;
            /**
             * Format: uint32
             * @description Its place among the chunks of the piece, from 0.
             */
            part: number;
            /** @description Its own part of the document's text, in bytes; none for cards. */
            range?: components["schemas"]["Range_of_uint"] | null;
            /** @description The piece. */
            source: components["schemas"]["Source2"];
            /** @description Its words. Of prose, the document's, from the beginning of the sentence before `range` to the end of `range`. */
            text: string;
            /**
             * Format: uint32
             * @description The version of the document; 0 for cards.
             */
            version: number;
        };
        /** @description Where a passage stands. */
        Citation: {
            /** @description Its name or title. */
            name: string;
            /** @description The bytes of the document's text; none for cards, which are cited whole. */
            range?: components["schemas"]["Range_of_uint"] | null;
            /** @description The piece. */
            source: components["schemas"]["Source2"];
            /**
             * Format: uint32
             * @description The version of the document; 0 for cards.
             */
            version: number;
        };
        /** @description How much work a requirement is. */
        Complexity: "simple" | "medium" | "complex";
        /** @description A file of content, whole. */
        ContentFile: {
            /** @description What stands in it; in documents as base64. */
            bytes: string;
            /** @description The ending, such as `md`. */
            extension: string;
            /** @description What it is about; not yet a safe name. */
            title: string;
        };
        /** @description Content as files. */
        ContentFiles: {
            /** @description The files. */
            files: components["schemas"]["ContentFile"][];
            /** @description The paths of content without a value, which is missing in them. */
            missing: string[];
            /** @description The paths of content that is stale. */
            stale: string[];
            /** @description Texts that are too long for where they go. */
            too_long: components["schemas"]["TooLong"][];
        };
        /** @description As what content is handed out. */
        ContentForm: "markdown" | "docx" | "json" | {
            channel: string;
        };
        /** @description What a run of a production has come to. The fields themselves are in the project. */
        ContentMade: {
            /** @description Whether phases wait for a person, by name. */
            autonomy_settings: {
                [key: string]: boolean;
            };
            /** @description The phase that is worked on; empty once all are done. */
            current_phase: string;
            /** @description What every model is told. */
            golden_context: components["schemas"]["GoldenContext"];
            /** @description The paths of the fields that were made, in order; one that was made twice stands there twice. */
            made: string[];
            /** @description What was said, oldest first. */
            messages: components["schemas"]["Spoken"][];
            /** @description What the run said last. */
            turn: components["schemas"]["Turn"];
        };
        /** @description How much of the material an agent is shown. */
        ContextMode: "auto" | "minimal" | "full";
        /** @description What an agent is to do about an issue. */
        CorrectionInstruction: {
            /**
             * @description What kind of change.
             * @default update
             */
            action?: components["schemas"]["Action"];
            /**
             * @description The issue it mends.
             * @default
             */
            issue_id?: string;
            /**
             * @description The change as data: `kind` (`character`, `relation`, `outline_node`, `event`, `plot_node`, `location`,
             *     `organisation`, `item`, `world_rule`, `worldview`, `style`), `name` or `id` of the piece, and the fields to set
             *     (`add_participants` and the like for lists). Read by [`edit::from_instruction`](crate::edit::from_instruction).
             * @default null
             */
            parameters?: unknown;
            /**
             * Format: uint8
             * @description From 1 (can wait) to 10 (first).
             * @default 0
             */
            priority?: number;
            /**
             * @description The change in words.
             * @default
             */
            specific_instruction?: string;
            /**
             * @description Who is to do it.
             * @default outline_agent
             */
            target_agent?: components["schemas"]["Agent"];
        };
        /** @description An amount of money. */
        Cost: {
            /** @description The currency's code. */
            currency: string;
            /**
             * Format: uint64
             * @description Millionths of the currency's unit.
             */
            micros: number;
        };
        /** @description An amount of money that is not certain, in millionths of the currency's unit. */
        CostRange: {
            /** @description The currency's code. */
            currency: string;
            /**
             * Format: uint64
             * @description When all goes well.
             */
            least: number;
            /**
             * Format: uint64
             * @description Usually.
             */
            likely: number;
            /**
             * Format: uint64
             * @description When nothing does.
             */
            most: number;
        };
        /** @description What is where in a manuscript, in characters. Made only by checking, so it always adds up. */
        Coverage: {
            /** Format: uint */
            blank: number;
            /** Format: uint */
            chapters: number;
            /** Format: uint */
            characters: number;
            /** Format: uint */
            contents: number;
            /** Format: uint */
            front: number;
            /** Format: uint */
            headings: number;
            /** Format: uint */
            separators: number;
            /** Format: uint */
            text: number;
            /** Format: uint */
            title: number;
        };
        /** @description Something that content is judged by. */
        Criterion: {
            /**
             * @description The name, such as `clarity`.
             * @default
             */
            name?: string;
            /**
             * @description What is asked of the content.
             * @default
             */
            question?: string;
            /**
             * @description The name for people.
             * @default
             */
            title?: string;
            /**
             * Format: double
             * @description How much it counts, beside the others; above 0.
             * @default 0
             */
            weight?: number;
        };
        /** @description What the author says to a question. */
        Decision: "accept" | "reject" | "later";
        /** @description The report of one review. */
        DiagnosticReport: {
            /**
             * @description The agents whose work must change.
             * @default []
             */
            affected_agents?: components["schemas"]["Agent"][];
            /**
             * @description What the verdict rests on.
             * @default {
             *       "judge": "rules",
             *       "pieces": 0,
             *       "rules": {
             *         "clean": 0,
             *         "off": 0,
             *         "run": 0
             *       }
             *     }
             */
            basis?: components["schemas"]["Basis"];
            /**
             * @description What to do for each issue.
             * @default []
             */
            correction_instructions?: components["schemas"]["CorrectionInstruction"][];
            /**
             * @description What to do with the material as a whole.
             * @default none
             */
            correction_strategy?: components["schemas"]["Strategy"];
            /**
             * @description What was found, worst first.
             * @default []
             */
            issues?: components["schemas"]["Issue"][];
            /**
             * @description Whether the material may go on.
             * @default false
             */
            passed?: boolean;
            /**
             * Format: uint8
             * @description From 0 to 100.
             * @default 0
             */
            quality_score?: number;
            /**
             * @description How the reviewer came to it.
             * @default []
             */
            reasoning_chain?: string[];
            /**
             * @description What would make it better beyond the issues.
             * @default []
             */
            suggestions_for_improvement?: string[];
            /**
             * @description What the person asked for, and whether it is met; nothing if there was nothing that can be checked.
             * @default []
             */
            wishes?: components["schemas"]["Wish"][];
        };
        /** @description What is spoken in a text. */
        Dialogue: {
            /**
             * Format: uint
             * @description Chinese characters and Latin words between quotation marks.
             */
            length: number;
            /**
             * Format: double
             * @description The mean length of a speech.
             */
            mean: number;
            /**
             * Format: double
             * @description The part of the text that is spoken, from 0 to 1.
             */
            share: number;
            /** @description Who speaks as far as the text says so, the longest first. */
            speakers: components["schemas"]["Speaker"][];
            /**
             * Format: uint
             * @description How many speeches there are.
             */
            speeches: number;
            /**
             * Format: uint
             * @description How many speeches have nobody named beside them.
             */
            unnamed: number;
        };
        /** @description What was compared. */
        Differences: {
            /** @description What is different, text by text. */
            texts: components["schemas"]["TextDifference"][];
            /** @description The versions of the document, if one was named; oldest first. */
            versions: components["schemas"]["VersionRow"][];
        };
        /** @description What is judged. */
        Dimension: "task" | "setting" | "timeline" | "continuity" | "character" | "logic" | "style";
        /** @description Whether the chapter holds in one dimension. */
        DimensionVerdict: {
            /**
             * @description Which.
             * @default task
             */
            dimension?: components["schemas"]["Dimension"];
            /**
             * @description Why, in a sentence.
             * @default
             */
            note?: string;
            /**
             * @description Whether it holds.
             * @default unclear
             */
            verdict?: components["schemas"]["Holds"];
        };
        /** @description How a word is disguised. Where it is in several ways, the last of these is told. */
        Disguise: "width" | "traditional" | "spaced" | "looks_alike" | "sounds_alike" | "leet";
        /** @description A text of the book, in one version. */
        Document: {
            /**
             * @description Given by the studio, such as `d-3`; may be left empty.
             * @default
             */
            id?: string;
            /**
             * Format: uint32
             * @description The place in reading order, counted from 1; 0 for a text that is not part of the book.
             * @default 0
             */
            order?: number;
            /**
             * @description The name or id of the outline node that it tells.
             * @default null
             */
            outline_node?: string | null;
            /** @description The newest reading by a model; of an earlier text if its digest is not that of the text. */
            read?: components["schemas"]["ReadMark"] | null;
            /** @description What was settled from it; none if it was not. */
            settled?: components["schemas"]["Settled"] | null;
            /** @description What happens in it, in a few sentences; made when it was settled. */
            summary?: string;
            /**
             * @description The prose; paragraphs are lines.
             * @default
             */
            text?: string;
            /**
             * @description The title, such as `第三章 夜雨`; unique in a story.
             * @default
             */
            title?: string;
            /**
             * Format: uint32
             * @description Grows by one with every change of the text.
             * @default 0
             */
            version?: number;
        };
        /** @description One version of a document. */
        DocumentVersion: {
            /** @description The change that made it; `None` if that was before the log begins. */
            made?: components["schemas"]["PieceMade"] | null;
            /** @description The text. */
            text: string;
            /**
             * Format: uint32
             * @description The version of the document.
             */
            version: number;
        };
        /** @description What is not clear about something that a chapter says. */
        Doubt: {
            /** @constant */
            doubt: "unsure";
        } | {
            /** @constant */
            doubt: "same";
            /** @description The name. */
            name: string;
        } | {
            /** @constant */
            doubt: "which";
            /** @description The name. */
            name: string;
        } | {
            /** @constant */
            doubt: "which_promise";
            /** @description The name. */
            name: string;
        };
        /** @description What only the author can tell. */
        Doubt2: {
            /** @constant */
            doubt: "unsure";
        } | {
            /** @constant */
            doubt: "same";
            /** @description The name. */
            name: string;
            /** @description Who or what is called alike. */
            of: components["schemas"]["Candidate"][];
        } | {
            /** @constant */
            doubt: "which";
            /** @description The name. */
            name: string;
            /** @description Who or what bears it. */
            of: components["schemas"]["Candidate"][];
        } | {
            /** @constant */
            doubt: "which_promise";
            /** @description The name. */
            name: string;
        };
        /** @description How easily a text reads, in a word. */
        Ease: "easy" | "plain" | "dense" | "hard";
        /** @description What came of an edit by hand. */
        EditedChapter: {
            /** @description What came back with its sentence. */
            back: components["schemas"]["PieceName"][];
            /**
             * Format: uint64
             * @description The change that holds the text and all that followed; none if the text is as it was.
             */
            change?: number | null;
            /** @description What the checker finds about the chapter. */
            findings: components["schemas"]["Finding"][];
            /** @description What the rules found in the paragraphs that changed. */
            found: components["schemas"]["PieceName"][];
            /** @description What went with its sentence. */
            gone: components["schemas"]["PieceName"][];
            /** @description The id of the document. */
            id: string;
            /** @description What stays though its sentence is gone. */
            kept: components["schemas"]["Kept"][];
            /**
             * Format: uint
             * @description Chinese characters and Latin words.
             */
            length: number;
            /** @description How far the text has been read: rules alone find no contradiction between meanings. */
            reading: components["schemas"]["ReadState"];
            /** @description Its title. */
            title: string;
            /**
             * Format: uint32
             * @description The version of the text from now on.
             */
            version: number;
        };
        /** @description How far a project's passages have vectors of the embedder in use. */
        Embedded: {
            /** @description The embedder. */
            embedder: string;
            /**
             * Format: uint
             * @description How many of them have its vectors.
             */
            having: number;
            /**
             * Format: uint
             * @description How many passages there are.
             */
            passages: number;
        };
        /** @description What is felt in a text. */
        Emotion: {
            /** @description The same along the text. */
            curve: components["schemas"]["EmotionPoint"][];
            /** @description The weight of each feeling in 1,000 characters or words; what is not there is left out. */
            feelings: {
                [key: string]: number;
            };
            /**
             * Format: double
             * @description The weight of all feeling in 1,000 characters or words.
             */
            intensity: number;
            /**
             * Format: double
             * @description From -1 (all bad) to 1 (all good); 0 where both are even or nothing is felt.
             */
            polarity: number;
            /** @description The words that carry it, the heaviest first. */
            words: components["schemas"]["FeltWord"][];
        };
        /** @description What is felt in a part of a text. */
        EmotionPoint: {
            /** @description The weight of each feeling in 1,000 characters or words. */
            feelings: {
                [key: string]: number;
            };
            /**
             * Format: double
             * @description The weight of all feeling in 1,000 characters or words.
             */
            intensity: number;
            /** @description The heaviest feeling, if there is one. */
            leading?: components["schemas"]["Feeling"] | null;
            /**
             * Format: double
             * @description From -1 to 1.
             */
            polarity: number;
            /** @description The part, in bytes. */
            span: components["schemas"]["Range_of_uint"];
        };
        /** @description As what the bytes of a text were taken. */
        Encoding: {
            /**
             * Format: uint
             * @description How many characters made no sense and are shown as `�`.
             */
            bad: number;
            /** @description Why it was taken. */
            by: components["schemas"]["TakenBy"];
            /** @description Its name, such as `UTF-8` or `GB18030`. */
            name: string;
        };
        /** @description How a part ended. */
        Ended: {
            /**
             * @description Who did it.
             * @default
             */
            agent?: string;
            /**
             * @description Why it was not, if it was not.
             * @default null
             */
            failure?: components["schemas"]["Failure"] | null;
            /**
             * @description What came of it, if it was done.
             * @default null
             */
            result?: components["schemas"]["AgentResult"] | null;
            /**
             * @description How.
             * @default open
             */
            status?: components["schemas"]["Status"];
        };
        /** @description What a plan will cost. */
        Estimate: {
            /**
             * Format: uint
             * @description Steps on the longest chain.
             */
            critical_path: number;
            /** @description Tokens, by agent as well, and the price if the models' prices are known. One call is counted per step. */
            usage: components["schemas"]["UsageView"];
        };
        /** @description A quote from the material. */
        Evidence: {
            /**
             * @description Where: a piece and its field, such as `outline_nodes/o-3/description`.
             * @default
             */
            anchor?: string;
            /**
             * @description The words.
             * @default
             */
            quote?: string;
        };
        /** @description One thing that the user did, and that a memory rests on. */
        Evidence2: {
            /** @description What stands there since; empty if nothing does. */
            after: string;
            /**
             * Format: date-time
             * @description When. In whole milliseconds once it is kept.
             */
            at: string;
            /** @description The user's words, or what stood there before. */
            before: string;
            /** @description Where: a run, a change, a finding; the same place twice is the same evidence. Empty if nowhere. */
            place: string;
            /** @description What. */
            what: components["schemas"]["What"];
        };
        /** @description The steps of a creation and how they hang together. */
        ExecutionPlan: {
            /**
             * @description The longest chain by estimated tokens. Computed as well.
             * @default []
             */
            critical_path?: number[];
            /**
             * @description Groups of steps that may run at once. Computed from the dependencies, whatever the planner says.
             * @default []
             */
            parallelizable_steps?: number[][];
            /**
             * @description The steps, in any order; the review is the last to run.
             * @default []
             */
            steps?: components["schemas"]["Step"][];
            /**
             * Format: uint64
             * @description The sum over the steps.
             * @default 0
             */
            total_estimated_tokens?: number;
        };
        /** @description A book that was written. */
        Exported: {
            /**
             * Format: uint
             * @description How many chapters it has.
             */
            chapters: number;
            /**
             * Format: uint
             * @description How many characters, spaces not counted.
             */
            characters: number;
            /** @description The chapters without text. */
            empty: string[];
            /** @description Its title. */
            title: string;
        };
        /** @description What a manuscript can have besides text. */
        Extra: "pictures" | "notes" | "comments" | "readings";
        /** @description One statement: a subject, a predicate, and an object or a value. */
        Fact: {
            /**
             * @description Who says, believes, dreams, plans it, or lies.
             * @default null
             */
            by?: string | null;
            /**
             * @description From when it holds: a time in the story's words, or the title or id of an event or outline node; empty if unknown.
             * @default
             */
            from?: string;
            /**
             * @description Given by the studio, such as `f-3`; may be left empty.
             * @default
             */
            id?: string;
            /**
             * @description Who knows it; of a lie, who believes it.
             * @default []
             */
            known_by?: components["schemas"]["Knower"][];
            /**
             * @description How it is told.
             * @default narrated
             */
            mode?: components["schemas"]["Mode"];
            /**
             * @description The name or id of what is on the other side: a character, place, thing, organisation, event, or the id of a fact.
             * @default null
             */
            object?: string | null;
            /**
             * @description What is said of it: a word of the [vocabulary](crate::predicate), such as `holds` or `瞳色`, or a word of its own.
             * @default
             */
            predicate?: string;
            /**
             * @description The sentence that asserts it.
             * @default null
             */
            source?: components["schemas"]["Quotation"] | null;
            /**
             * @description The name or id of the character, place, thing, organisation or event that it is about.
             * @default
             */
            subject?: string;
            /**
             * @description What a number is counted in, such as `尺` or `years`; empty if it needs none.
             * @default
             */
            unit?: string;
            /**
             * @description Until when it holds, in the same words; empty if unknown. The same as `from` for what is seen at one moment.
             * @default
             */
            until?: string;
            /**
             * @description The value, if there is no object: a number, a text, or whether it is so.
             * @default null
             */
            value?: components["schemas"]["Plain"] | null;
        };
        /** @description What a task fails of; said to the user, and no reason to stop other tasks. */
        Failure: {
            /** @description Who was asked for. */
            agent: string;
            /** @constant */
            kind: "unknown_agent";
            /** @description Who there is. */
            known: string[];
        } | {
            /** @constant */
            kind: "timed_out";
            /**
             * Format: uint64
             * @description How many seconds it was given.
             */
            seconds: number;
        } | {
            /** @constant */
            kind: "empty_text";
        } | {
            /** @description What was asked for. */
            given: string;
            /** @constant */
            kind: "unknown_chapter";
        } | {
            /** @constant */
            kind: "no_text";
        } | {
            /** @constant */
            kind: "nothing_written";
        } | {
            /** @constant */
            kind: "no_project";
            /** @description Why. */
            message: string;
        } | {
            /** @constant */
            kind: "model";
            /** @description What happened, in the model's words. */
            message: string;
        } | {
            /** @description What to do instead. */
            hint: string;
            /** @constant */
            kind: "unsupported";
            /** @description The model. */
            model: string;
            /** @description What it was asked for. */
            purpose: string;
        } | {
            /** @constant */
            kind: "dependency";
            /** @description Which. */
            task: string;
        } | {
            /** @constant */
            kind: "tool";
            /** @description Why. */
            message: string;
            /** @description Which. */
            tool: string;
        };
        /** @description A failure as plain data: in events, documents and the run's row. */
        Failure2: {
            /** @description Stable, such as `no_key`. */
            code: string;
            /**
             * @description What the message is made of, for doors to word it.
             * @default {}
             */
            data?: {
                [key: string]: unknown;
            };
            /** @description In English, for logs and reports. */
            message: string;
        };
        /** @description What a side has done to a piece. */
        Fate: "same" | "added" | "changed" | "removed";
        /** @description A feeling. The first six are Ekman's; love is usual in lexicons of Chinese (乐 好 怒 哀 惧 恶 惊). */
        Feeling: "joy" | "love" | "anger" | "sadness" | "fear" | "disgust" | "surprise";
        /** @description A word that carries feeling. */
        FeltWord: {
            /**
             * Format: uint
             * @description How often it is felt; where it is negated it is not.
             */
            count: number;
            /** @description The feeling. */
            feeling: components["schemas"]["Feeling"];
            /** @description The word as the text has it first. */
            word: string;
        };
        /** @description A named piece of a content production: a value with a shape, made from others. */
        Field: {
            /**
             * @description What it is made from: paths, each with a JSON Pointer behind `#` if a part is meant
             *     (`design_inner/outline#/lessons/2`).
             * @default []
             */
            depends_on?: string[];
            /** @description A list elsewhere, named as in `depends_on`: the field then stands for one field for each entry. */
            each?: string | null;
            /** @description What it says about creator, intent or consumers, if every model is told. */
            golden?: components["schemas"]["Golden"] | null;
            /**
             * @description What it is to hold, in words.
             * @default
             */
            guidance?: string;
            /**
             * @description Whether a person, or the autonomy of its phase, has confirmed the value.
             * @default false
             */
            is_confirmed?: boolean;
            /**
             * @description Whether it is content for consumers, which is read, judged and exported.
             * @default false
             */
            is_content?: boolean;
            /** @description Which entry of that list it belongs to, if it is one of these. */
            item?: components["schemas"]["Item2"] | null;
            /** @description Who made the value. */
            made_by?: components["schemas"]["Maker"] | null;
            /**
             * @description A digest of each thing in `depends_on`, as it was when the value was made.
             * @default {}
             */
            made_from?: {
                [key: string]: string;
            };
            /**
             * @description What it is named by: its phase and its name, such as `design_inner/outline`; an item of a list ends in its number,
             *     from 1: `produce_inner/lessons/3`.
             * @default
             */
            path?: string;
            /**
             * @description The phase in which it is made.
             * @default
             */
            phase?: string;
            /**
             * @description JSON Schema of its value.
             * @default null
             */
            schema?: unknown;
            /**
             * @description The name for people.
             * @default
             */
            title?: string;
            /**
             * @description The value; `null` as long as there is none.
             * @default null
             */
            value?: unknown;
            /**
             * Format: uint32
             * @description How often it got another value; 0 before the first.
             * @default 0
             */
            version?: number;
        };
        /** @description What happened to a field. */
        FieldStep: {
            /** @constant */
            step: "started";
        } | {
            /** @constant */
            step: "made";
            /**
             * Format: uint32
             * @description Its version.
             */
            version: number;
        } | {
            /** @description Why. */
            message: string;
            /** @constant */
            step: "failed";
        } | {
            /** @constant */
            step: "kept";
        };
        /** @description A field with its value. */
        FieldView: {
            /** @description Everything that is made from it, directly or not. */
            dependents: string[];
            /**
             * @description What it is made from: paths, each with a JSON Pointer behind `#` if a part is meant
             *     (`design_inner/outline#/lessons/2`).
             * @default []
             */
            depends_on?: string[];
            /** @description A list elsewhere, named as in `depends_on`: the field then stands for one field for each entry. */
            each?: string | null;
            /** @description What it says about creator, intent or consumers, if every model is told. */
            golden?: components["schemas"]["Golden"] | null;
            /**
             * @description What it is to hold, in words.
             * @default
             */
            guidance?: string;
            /**
             * @description Whether a person, or the autonomy of its phase, has confirmed the value.
             * @default false
             */
            is_confirmed?: boolean;
            /**
             * @description Whether it is content for consumers, which is read, judged and exported.
             * @default false
             */
            is_content?: boolean;
            /** @description Which entry of that list it belongs to, if it is one of these. */
            item?: components["schemas"]["Item2"] | null;
            /** @description Who made the value. */
            made_by?: components["schemas"]["Maker"] | null;
            /**
             * @description A digest of each thing in `depends_on`, as it was when the value was made.
             * @default {}
             */
            made_from?: {
                [key: string]: string;
            };
            /**
             * @description What it is named by: its phase and its name, such as `design_inner/outline`; an item of a list ends in its number,
             *     from 1: `produce_inner/lessons/3`.
             * @default
             */
            path?: string;
            /**
             * @description The phase in which it is made.
             * @default
             */
            phase?: string;
            /**
             * @description JSON Schema of its value.
             * @default null
             */
            schema?: unknown;
            /** @description How it stands. */
            status: components["schemas"]["Status2"];
            /** @description The value as text. */
            text: string;
            /**
             * @description The name for people.
             * @default
             */
            title?: string;
            /**
             * @description The value; `null` as long as there is none.
             * @default null
             */
            value?: unknown;
            /**
             * Format: uint32
             * @description How often it got another value; 0 before the first.
             * @default 0
             */
            version?: number;
        };
        /** @description Everything that is counted in one text. */
        Figures: {
            /** @description What is spoken, and by whom. */
            dialogue: components["schemas"]["Dialogue"];
            /** @description What is felt, along the text. */
            emotion: components["schemas"]["Emotion"];
            /** @description The language of most of it. */
            language: components["schemas"]["Language"];
            /**
             * Format: uint
             * @description Chinese characters and Latin words.
             */
            length: number;
            /** @description How quick it is, along the text. */
            pace: components["schemas"]["Pace"];
            /** @description How long the paragraphs are. */
            paragraphs: components["schemas"]["Lengths"];
            /** @description The sentences that show it. */
            quotes: components["schemas"]["Quote"][];
            /** @description How easily it reads. */
            readability: components["schemas"]["Readability"];
            /** @description How long the sentences are. */
            sentences: components["schemas"]["Lengths"];
            /** @description How varied the words are. */
            variety: components["schemas"]["Variety"];
        };
        /** @description A finding of a rule: the issue for the report, and what would mend it. */
        Finding: {
            /**
             * @description What to do about it; each can be read by [`edit::from_instruction`](crate::edit::from_instruction). Empty if only
             *     the author can tell.
             */
            instructions: components["schemas"]["CorrectionInstruction"][];
            /** @description What was found. */
            issue: components["schemas"]["Issue"];
        };
        /** @description A rule of a platform that a chapter does not keep. */
        Finding2: {
            /** @description What to do, in the language asked for. */
            advice: string;
            /** @description The code, such as `QC101`; it never means anything else. */
            code: string;
            /** @description How bad it is. */
            severity: components["schemas"]["Severity"];
            /** @description Its bytes in the text, if it has a place. */
            span?: components["schemas"]["Range_of_uint"] | null;
            /** @description The text as it stands there. */
            text: string;
            /** @description What is wrong, in the language asked for. */
            title: string;
            /** @description The values that title and advice are filled with. */
            values: {
                [key: string]: string;
            };
        };
        /** @description What a command will cost. */
        Forecast: {
            /** @description Of these, expected in the providers' caches. */
            cached: components["schemas"]["Range"];
            /** @description The chapters, if it is about chapters. */
            chapters: number[];
            /** @description The price by currency, of all calls whose price is known. */
            costs: components["schemas"]["CostRange"][];
            /** @description Tokens of all requests. */
            input: components["schemas"]["Range"];
            /** @description Tokens of all answers. */
            output: components["schemas"]["Range"];
            /** @description The kinds of calls. */
            rows: components["schemas"]["ForecastLine"][];
            /** @description Models whose price is not known; what they cost is in no sum. */
            unpriced: string[];
        };
        /** @description What one kind of call will cost. */
        ForecastLine: {
            /** @description Of these, expected in the provider's cache. */
            cached: components["schemas"]["Range"];
            /** @description How many calls. */
            calls: components["schemas"]["Range"];
            /** @description The price; none if it is not known. */
            cost?: components["schemas"]["CostRange"] | null;
            /** @description Tokens of the requests, cached ones included. */
            input: components["schemas"]["Range"];
            /** @description The model that serves it. */
            model: string;
            /** @description Tokens of the answers. */
            output: components["schemas"]["Range"];
            /** @description The purpose. */
            purpose: string;
        };
        /** @description What is to be estimated. */
        ForecastRequest: {
            /** @constant */
            kind: "create";
            /** @description The project that is extended. */
            project?: string | null;
            /** @description The user's words. */
            requirement: string;
        } | {
            /**
             * @description Which; all that have no text if none is named.
             * @default []
             */
            chapters?: number[];
            /** @constant */
            kind: "write";
            /** @description The project. */
            project: string;
            /**
             * Format: uint32
             * @description The words of each; what the outline says, or the usual, if nothing is said.
             */
            words?: number | null;
        } | {
            /**
             * @description Which; all whose current text no model has read if none is named.
             * @default []
             */
            chapters?: number[];
            /** @constant */
            kind: "read";
            /** @description The project. */
            project: string;
        } | {
            /**
             * Format: uint64
             * @description How many aspects.
             */
            aspects: number;
            /** @constant */
            kind: "analyze";
            /** @description The prose. */
            text: string;
        } | {
            /** @constant */
            kind: "review";
        } | {
            /** @constant */
            kind: "task";
            /** @description The words. */
            request: string;
        };
        /** @description A format in which a manuscript comes in. */
        Format: "txt" | "md" | "docx" | "epub";
        /** @description A published formula. */
        Formula: "flesch" | "xu";
        /** @description What belongs to a task, each only for agents that know it. */
        Given: {
            /** @description What is to be looked at: `style`, `emotion`, `pace`, `quality`. */
            aspects?: string[];
            /**
             * @description Whether the project is to be changed; otherwise the result is only shown.
             * @default false
             */
            change?: boolean;
            /** @description Who takes part: names, aliases or ids of characters. */
            characters?: string[];
            /** @description What earlier tasks came to, by their name; filled by the orchestrator. */
            earlier?: {
                [key: string]: string;
            };
            /** @description Which of the things an agent can do, such as `dialogue`; found by the words if it is left out. */
            kind?: string | null;
            /** @description How strict to be: `loose`, `standard` or `strict`. */
            level?: string | null;
            /** @description What stands before it, if that is not in the project. */
            previous_content?: string | null;
            /** @description The part of the text that may be changed, in characters from and to. */
            range?: [
                number,
                number
            ] | null;
            /** @description What must hold, a line each. */
            requirements?: string[];
            /** @description Where and when it is. */
            setting?: string | null;
            /**
             * Format: uint32
             * @description How long the result is to be, in characters and words.
             */
            words?: number | null;
        } & {
            [key: string]: unknown;
        };
        /** @description What a field tells every model. */
        Golden: "creator_profile" | "intent" | "consumer_personas";
        /** @description What every model is told of a project. Empty parts are left out of prompts. */
        GoldenContext: {
            /**
             * @description For whom.
             * @default
             */
            consumer_personas?: string;
            /**
             * @description Who creates.
             * @default
             */
            creator_profile?: string;
            /**
             * @description What is to be reached.
             * @default
             */
            intent?: string;
        };
        /** @description A piece that was taken out because its sentence was. */
        Gone: {
            /** @description The piece, with its kind. */
            piece: unknown;
            /**
             * Format: uint
             * @description Its place in its list.
             */
            position: number;
            /** @description The words that it rested on; of a fact they stand in its source. */
            quote?: string;
        };
        /** @description A story's graph, or what a pattern finds in it. */
        GraphView: {
            /**
             * @description The same as a drawing.
             * @default {
             *       "caption": "",
             *       "left_out": 0,
             *       "lines": [],
             *       "nodes": []
             *     }
             */
            drawing?: unknown;
            /** @description Nodes and edges with their sources, or columns and rows of a pattern. */
            graph: unknown;
        };
        /** @description What was found, and why. */
        Hit: {
            /** @description The chunk. */
            chunk: components["schemas"]["Chunk"];
            /**
             * Format: double
             * @description By how much the score was multiplied for where somebody is writing; 1 if nobody is.
             */
            emphasis: number;
            /** @description What keywords say, if they found it. */
            keyword?: components["schemas"]["Side2"] | null;
            /**
             * Format: double
             * @description How well it fits; comparable within one search only.
             */
            score: number;
            /** @description Words in it that speak to a model instead of telling of the story; such a text is still only a text. */
            suspicious?: string | null;
            /** @description What vectors say, if they found it. */
            vector?: components["schemas"]["Side2"] | null;
            /** @description What the graph says, if the [question](crate::recall) led to it there. */
            way?: components["schemas"]["Way"] | null;
        };
        /** @description A word that was found. */
        Hit2: {
            /** @description The category of its list. */
            category: string;
            /** @description How it is disguised, if it is. */
            disguise?: components["schemas"]["Disguise"] | null;
            /** @description The loosest level that reports it. */
            level: components["schemas"]["Level"];
            /** @description Its bytes in the text. */
            span: components["schemas"]["Range_of_uint"];
            /** @description What to write instead. */
            suggestion?: string | null;
            /** @description The text as it stands there. */
            text: string;
            /** @description The word of the list. */
            word: string;
        };
        /** @description Whether something holds. */
        Holds: "holds" | "broken" | "unclear";
        /** @description What a person says when a run asks. Recordings of runs hold it. */
        HumanAnswer: {
            /** @constant */
            answer: "approve";
        } | {
            /** @constant */
            answer: "reject";
            /** @description What is wrong and what is wanted. */
            feedback: string;
        } | {
            /** @constant */
            answer: "edit";
            /**
             * @description Any of the keys `worldview`, `outline_nodes`, `characters`, `character_relations`, `timeline_events`,
             *     `plot_nodes`, `style` of the run's document; a key that is absent stays as it is, other keys are ignored.
             */
            material: unknown;
        } | {
            /** @constant */
            answer: "decide";
            /**
             * @description The decisions; what is left out is asked again another time. Of a change of a text the second place is decided
             *     by itself under the id of the change with `/2` behind it; a place without an answer goes with its change.
             */
            answers: {
                [key: string]: components["schemas"]["Decision"];
            };
            /**
             * @description The ids of those who are meant, where several may be.
             * @default {}
             */
            choices?: {
                [key: string]: string;
            };
        } | {
            /** @constant */
            answer: "order";
            /** @description What. */
            order: components["schemas"]["Order"];
        };
        /** @description What a person is asked about the material of a story. */
        HumanReview: {
            /** @description The answers that are taken. */
            answers: string[];
            /** @description Why: `max_iterations`, `stalled`, `low_score`, `unmet_wish`, `strategy` or `unknown_agent`. */
            reason: string;
            /** @description The report as it stands. */
            report: components["schemas"]["DiagnosticReport"];
        };
        /** @description Paragraphs that are different. */
        Hunk: {
            /**
             * Format: uint
             * @description The first line in the newer text.
             */
            new_line: number;
            /**
             * Format: uint
             * @description The first line in the older text, from 1; where it would stand if there is none.
             */
            old_line: number;
            /** @description The paragraphs, in pieces. */
            spans: components["schemas"]["Span2"][];
        };
        /** @description A story that has become a project. */
        Imported: {
            /** @description How many pieces of which kind. */
            pieces: {
                [key: string]: number;
            };
            /** @description The project. */
            project: components["schemas"]["ProjectRow"];
            /** @description Fields of the file that were left out. */
            unknown: string[];
        };
        /** @description A manuscript, and what is to become of it. */
        ImportRequest: {
            /** @description The file; in documents as base64. */
            bytes: string;
            /**
             * Format: uint
             * @description Cuts a text without headings after so many characters.
             */
            cut?: number | null;
            /**
             * @description Says what would be done, and does nothing.
             * @default false
             */
            dry_run?: boolean;
            /** @description The encoding of a plain text; found out if there is none. */
            encoding?: string | null;
            /** @description The language of the new project; that of the text if there is none. */
            language?: components["schemas"]["Language"] | null;
            /** @description The name of its file: tells the format, and the title if nothing else does. */
            name: string;
            /** @description The project it goes into; a new one if there is none. */
            project?: string | null;
            /**
             * @description Puts new text in the place of that of chapters with the same title.
             * @default false
             */
            replace?: boolean;
            /**
             * @description What it becomes; the book if nothing is said.
             * @default book
             */
            role?: components["schemas"]["ManuscriptRole"];
            /** @description The title of the new project, or of the reference; that of the manuscript if there is none. */
            title?: string | null;
        };
        /** @description What the user wants. */
        Intent: "advance_phase" | "research" | "generate" | "modify" | "query" | "chat";
        /** @description What a simulated consumer does with content. */
        Interaction: "first_impression" | "comprehension" | "objection" | "purchase" | "drop_off";
        /** @description One thing that was found. */
        Issue: {
            /**
             * @description Names of the pieces it touches.
             * @default []
             */
            affected_entities?: string[];
            /**
             * @description What it touches.
             * @default consistency
             */
            category?: components["schemas"]["Category"];
            /**
             * @description The rule's code, if a rule found it.
             * @default null
             */
            code?: string | null;
            /**
             * @description Quotes from the material, both sides of a contradiction.
             * @default []
             */
            evidence?: components["schemas"]["Evidence"][];
            /**
             * @description Stable over reviews of the same material, such as `QY101-5f2a91` or `model-03ab77`.
             * @default
             */
            id?: string;
            /**
             * @description What it does to the story.
             * @default
             */
            impact?: string;
            /**
             * @description Why it is so, not only that it is so.
             * @default
             */
            root_cause?: string;
            /**
             * @description How bad it is.
             * @default medium
             */
            severity?: components["schemas"]["Severity"];
            /**
             * @description Who found it.
             * @default model
             */
            source?: components["schemas"]["Source"];
            /**
             * @description Whose work: `outline`, `character`, `relation`, `plot`, `timeline`, `worldview`, `style`.
             * @default
             */
            sub_category?: string;
            /**
             * @description In a line.
             * @default
             */
            title?: string;
        };
        /** @description A thing that matters. */
        Item: {
            /**
             * @description Other names.
             * @default []
             */
            alias?: string[];
            /**
             * @description What it is and can do.
             * @default
             */
            description?: string;
            /**
             * @description The name of the character who has it at the beginning.
             * @default null
             */
            holder?: string | null;
            /**
             * @description Given by the studio, such as `i-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * @description The name; unique among things.
             * @default
             */
            name?: string;
        };
        /** @description The place of a field in the list that it is made for. */
        Item2: {
            /**
             * Format: uint
             * @description Its place in the list, from 0.
             * @default 0
             */
            index?: number;
            /**
             * @description The path of the field that stands for all of them.
             * @default
             */
            of?: string;
        };
        /** @description Who judged the material. */
        Judge: "rules" | "model";
        /** @description How much of a quality somebody has. */
        Judged: {
            /** @description The words that say so, as they stand on the card. */
            because: string[];
            /**
             * Format: double
             * @description Above 0 for what was asked for, below 0 for its contrary, 0 if nothing is said.
             */
            score: number;
        };
        /** @description A piece that stays though the document no longer says so. */
        Kept: {
            /** @description Its id. */
            id: string;
            /** @description What it is. */
            kind: components["schemas"]["PieceKind"];
            /** @description What a person would call it. */
            label: string;
            /** @description Why it stays. */
            why: components["schemas"]["Stays"];
        };
        /** @description A key to be made. */
        KeyRequest: {
            /**
             * Format: date-time
             * @description Until when it holds.
             * @default null
             */
            expires?: string | null;
            /**
             * @description What may be done with it.
             * @default {}
             */
            limits?: components["schemas"]["Limits"];
            /**
             * @description What it is for, in the words of people.
             * @default
             */
            name?: string;
            /**
             * @description The projects it is for, by their ids or the beginnings of them; all of the user's, those to come included, if none is
             *     named.
             * @default []
             */
            projects?: string[];
            /** @description What it allows. */
            right: components["schemas"]["Right"];
            /**
             * @description Whose it is; of whoever asks if nobody is named.
             * @default null
             */
            user?: string | null;
        };
        /** @description A key in a list. */
        KeyRow: {
            /**
             * Format: date-time
             * @description When it was made.
             */
            created: string;
            /**
             * Format: date-time
             * @description Until when it holds.
             */
            expires?: string | null;
            /** @description The id: the public part of the key. */
            key: string;
            /**
             * Format: date-time
             * @description When it was used last, to about a minute.
             */
            last_used?: string | null;
            /** @description What may be done with it. */
            limits: components["schemas"]["Limits"];
            /** @description What it is for. */
            name: string;
            /** @description What the key begins with. */
            prefix: string;
            /** @description The projects it is for; none for all of the user's. */
            projects?: string[] | null;
            /**
             * Format: date-time
             * @description Since when it does not hold any more.
             */
            revoked?: string | null;
            /** @description What it allows. */
            right: components["schemas"]["Right"];
            /** @description Whether it holds. */
            state: components["schemas"]["KeyState"];
            /** @description Whose it is. */
            user: string;
        };
        /** @description Where the key of a provider comes from. */
        KeySource: "environment" | "file";
        /** @description Whether a key holds. */
        KeyState: "active" | "expired" | "revoked";
        /** @description What a memory is about. */
        Kind: "preference" | "history" | "knowledge";
        /** @description Somebody who knows a fact. */
        Knower: {
            /**
             * @description How they came to know, in a few words.
             * @default
             */
            how?: string;
            /**
             * @description Since when, in the words of [`Fact::from`]; empty if unknown.
             * @default
             */
            since?: string;
            /**
             * @description Who told them in person, if somebody did.
             * @default null
             */
            told_by?: string | null;
            /**
             * @description The name or id of the character or organisation.
             * @default
             */
            who?: string;
        };
        /** @description Somebody who knows it. */
        KnownBy: {
            /** @description How they came to know. */
            how: string;
            /** @description Since when, as it is written; empty if unknown. */
            since: string;
            /** @description Who. */
            who: string;
        };
        /** @description The language of a story, a prompt or a page. */
        Language: "zh" | "en";
        /** @description Where a setting comes from; later layers win. */
        Layer: "default" | "user" | "project" | "environment" | "flag";
        /** @description Something that is not taken over. */
        LeftOut: {
            /**
             * Format: uint
             * @description How many.
             */
            count: number;
            /** @description What. */
            what: components["schemas"]["Extra"];
        };
        /** @description How long the parts of a text are, in Chinese characters and Latin words. */
        Lengths: {
            /**
             * Format: uint
             * @description How many there are.
             */
            count: number;
            /** @description How many there are of which length. */
            histogram: components["schemas"]["Bin"][];
            /**
             * Format: uint
             * @description The longest.
             */
            longest: number;
            /**
             * Format: double
             * @description Their mean.
             */
            mean: number;
            /**
             * Format: double
             * @description The length that half of them do not pass.
             */
            median: number;
            /**
             * Format: uint
             * @description The shortest.
             */
            shortest: number;
            /**
             * Format: double
             * @description Their standard deviation.
             */
            spread: number;
        };
        /** @description How strictly a text is looked at. */
        Level: "loose" | "standard" | "strict";
        /** @description What may be done with a key; what is not named is without limit. */
        Limits: {
            /** @description Money in a day. With this set, what cannot be counted in its currency uses it up. */
            money_per_day?: components["schemas"]["Cost"] | null;
            /**
             * Format: uint32
             * @description Runs at work at once.
             */
            parallel_runs?: number | null;
            /**
             * Format: uint32
             * @description Requests in a minute, towards one server.
             */
            requests_per_minute?: number | null;
            /**
             * Format: uint64
             * @description Tokens of requests and answers in a day of the server's clock.
             */
            tokens_per_day?: number | null;
        };
        /** @description A step of a path: a piece, and why the next one depends on it. */
        Link: {
            /** @description Why the next one depends on it. */
            because: components["schemas"]["Because"];
            /** @description The kind of the piece. */
            kind: components["schemas"]["PieceKind"];
            /** @description Its id, or its name if it has none. */
            piece: string;
        };
        /** @description A place. */
        Location: {
            /**
             * @description Other names.
             * @default []
             */
            alias?: string[];
            /**
             * @description What it is like.
             * @default
             */
            description?: string;
            /**
             * @description Given by the studio, such as `l-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * @description The name; unique among places.
             * @default
             */
            name?: string;
        };
        /** @description What requests above a length cost, all of their tokens; per million. */
        LongPrice: {
            /**
             * Format: uint64
             * @description The most tokens of a request that has the usual price.
             */
            above: number;
            /**
             * Format: double
             * @description Those that were cached; as `input` when absent.
             * @default null
             */
            cached?: number | null;
            /**
             * Format: double
             * @description Tokens of the request.
             */
            input: number;
            /**
             * Format: double
             * @description Tokens of the answer.
             */
            output: number;
        };
        /** @description A piece that came from a document. */
        Made: {
            /** @description A digest of it as it was made. If it is not that of the piece, somebody changed the piece since. */
            digest: string;
            /** @description Whether it was made when an edit was followed, not when the chapter was settled. */
            followed?: boolean;
            /** @description Its id. */
            id: string;
            /** @description What it is. */
            kind: string;
            /** @description The words of the document that it rests on; of a fact they stand in its source. */
            quote?: string;
        };
        /** @description What a run made. */
        Made2: "nothing" | {
            story: components["schemas"]["StoryMade"];
        } | {
            book: components["schemas"]["BookMade"];
        } | {
            task: components["schemas"]["TaskMade"];
        } | {
            content: components["schemas"]["ContentMade"];
        };
        /** @description Who made a value, and how. In which run stands in the log of the project: a run that is played again makes the same value. */
        Maker: {
            /**
             * @description The agent, or `person`.
             * @default
             */
            agent?: string;
            /** @description The model. */
            model?: string | null;
            /** @description SHA-256 of the prompt templates. */
            prompt_hash?: string | null;
        };
        /** @description What a manuscript becomes. */
        ManuscriptRole: "book" | "reference";
        /** @description A term of a query in a text. */
        MatchedTerm: {
            /**
             * Format: double
             * @description Its part of the score.
             */
            score: number;
            /** @description The term. */
            term: string;
        };
        /** @description Names a memory: `m-` and twelve hexadecimal digits, made from its kind, project and topic. */
        MemoryId: string;
        /** @description A memory in a list. */
        MemoryRow: {
            /** @description Whether it holds. */
            active: boolean;
            /**
             * Format: date-time
             * @description When it last changed. In whole milliseconds.
             */
            changed: string;
            /**
             * Format: uint32
             * @description How often it was seen; at least 1, and not less than there is evidence.
             */
            count: number;
            /**
             * Format: date-time
             * @description When it was added. In whole milliseconds.
             */
            created: string;
            /** @description What it rests on, oldest first; at most [`MOST_EVIDENCE`]. */
            evidence: components["schemas"]["Evidence2"][];
            /** @description Its id. */
            id: components["schemas"]["MemoryId"];
            /** @description What it is about. */
            kind: components["schemas"]["Kind"];
            /** @description The project in which it holds; `None` is every project. */
            project?: string | null;
            /**
             * Format: uint64
             * @description Counts its changes, from 1.
             */
            revision: number;
            /** @description Where it comes from. */
            source: components["schemas"]["Source3"];
            /** @description Whether it holds. */
            standing: components["schemas"]["Standing"];
            /** @description In words. */
            text: string;
            /** @description What makes it the same as another. */
            topic: string;
        };
        /** @description What came of mending a story by itself. */
        Mended: {
            /**
             * Format: uint64
             * @description The change that holds all of it; none if nothing was mended.
             */
            change?: number | null;
            /** @description What is found afterwards. */
            checkup: components["schemas"]["Checkup"];
            /**
             * @description What was left alone, by the id of the finding, and why: `waived`, `not_certain`, `refused`, `harmful`, `no_effect`,
             *     `gone`, `untried`.
             */
            left: {
                [key: string]: string;
            };
            /** @description What was mended: the ids of the findings. */
            mended: string[];
        };
        /** @description A merge. */
        Merged: {
            /**
             * Format: uint64
             * @description The change in the project that holds all of it; none if there was nothing to do.
             */
            change?: number | null;
            /** @description The pieces on which the two did not agree. */
            settled: components["schemas"]["BranchPiece"][];
            /** @description The pieces that the project has from the branch now. */
            taken: components["schemas"]["BranchPiece"][];
        };
        /** @description A result as data. */
        Metadata: {
            /** @description What was verified, and whether it held; the confidence is the share. */
            checks?: components["schemas"]["Check"][];
            /** @description What the agent found: figures, findings, citations. */
            data?: unknown;
            /**
             * @description Which of the things the agent can do it did.
             * @default
             */
            kind?: string;
            /** @description The change that the agent proposes, if it proposes one. */
            proposal?: components["schemas"]["Proposal"] | null;
            /** @description What did not go as it should have, a line each. */
            warnings?: string[];
        };
        /** @description What a tool says of itself. */
        Metadata2: {
            /**
             * @description What its actions need, if its arguments have an `action`; if that may be left out, the first one is meant.
             *     Without actions, [`permission`](Self::permission) and [`pure`](Self::pure) hold for every call; with them they
             *     are those of the most demanding one.
             */
            actions?: components["schemas"]["Action2"][];
            /** @description Other names it is found by. */
            aliases?: string[];
            /** @description What it is for. */
            category: components["schemas"]["Category2"];
            /** @description What it does, for models and people. */
            description: components["schemas"]["Text"];
            /** @description Where it comes from, if it is not ours. What such a tool says is material, never instruction. */
            foreign?: string | null;
            /** @description The name, `[a-zA-Z0-9_-]{1,64}`; unique in a toolbox. */
            name: string;
            /** @description JSON Schema of its arguments; an object. */
            parameters_schema: unknown;
            /** @description What a caller must be allowed. */
            permission: components["schemas"]["Permission"];
            /** @description Whether the answer depends on nothing but the arguments, the project's story and its checks, so that it may be kept. */
            pure: boolean;
            /** @description Whether it works on a project. If so, its parameters have a `project_id`. */
            requires_project: boolean;
            /**
             * Format: uint64
             * @description How long one attempt may take.
             */
            timeout_ms: number;
            /** @description Its version; grows when arguments or results change their meaning. */
            version: string;
        };
        /** @description In which way something is told. Only what is narrated can contradict what is narrated. */
        Mode: "narrated" | "flashback" | "dreamt" | "said" | "believed" | "planned" | "lied" | "retconned" | "disguised";
        /** @description Which model serves, and why. */
        ModelChoice: {
            /** @description Such as `deepseek/deepseek-flash` or `offline-rules-1`. */
            model: string;
            /** @description Why. */
            why: components["schemas"]["ModelReason"];
        };
        /** @description A provider and where its key comes from. The key itself is never shown. */
        ModelKeyRow: {
            /** @description The provider, such as `deepseek`. */
            provider: string;
            /** @description Where its key comes from now; none if it has none. */
            source?: components["schemas"]["KeySource"] | null;
        };
        /** @description What came of asking a provider for its models. */
        ModelListing: {
            /** @description Why it has none. */
            failure?: components["schemas"]["Failure2"] | null;
            /** @description The models that the key can use, as the provider lists them; empty if it failed. */
            models: string[];
            /** @description The provider. */
            provider: string;
        };
        /** @description Why a model serves. */
        ModelReason: {
            /** @description The layer. */
            layer: components["schemas"]["Layer"];
            /** @constant */
            reason: "configured";
        } | {
            /** @description The provider. */
            provider: string;
            /** @constant */
            reason: "key_set";
            /** @description The variable that holds the key. */
            variable: string;
        } | {
            /** @description The provider. */
            provider: string;
            /** @constant */
            reason: "key_kept";
        } | {
            /** @constant */
            reason: "local_server";
            /** @description Its address. */
            url: string;
        } | {
            /** @constant */
            reason: "nothing_else";
        };
        /** @description A provider in the list of models. */
        ModelRow: {
            /** @description Where requests go. */
            base_url: string;
            /** @description Whether the key is there. */
            key_present: boolean;
            /** @description Where the key comes from; none if there is none. */
            key_source?: components["schemas"]["KeySource"] | null;
            /** @description The variable that holds its key; none if it needs none. */
            key_variable?: string | null;
            /** @description Models: the usual one first; for reachable servers on this machine, those it serves. */
            models: string[];
            /** @description The provider, such as `deepseek`. */
            provider: string;
            /** @description For servers on this machine: whether one answers. None for others, which are not asked. */
            reachable?: boolean | null;
            /** @description Those of its models that serve and are about to be retired, or were, as model → day. */
            retiring: {
                [key: string]: string;
            };
            /** @description The roles it serves with the settings as they are, as role → model. */
            roles: {
                [key: string]: string;
            };
        };
        /** @description What came of trying a model. */
        ModelTrial: {
            /** @description The address that was asked; empty for the models of this program. */
            address: string;
            /** @description The answer in JSON; none if no words came. */
            json?: components["schemas"]["TrialAnswer"] | null;
            /** @description Where its key comes from; none if it has none. */
            key?: components["schemas"]["KeySource"] | null;
            /** @description The model that was asked, by its own name. */
            model: string;
            /** @description When it is retired, if its vendor says. */
            retires?: string | null;
            /** @description The answer in words. */
            text: components["schemas"]["TrialAnswer"];
            /** @description Whether both answers came. */
            works: boolean;
        };
        /** @description A key that was just made. What opens the door is told this once, and kept nowhere. */
        NewKey: {
            /**
             * Format: date-time
             * @description When it was made.
             */
            created: string;
            /**
             * Format: date-time
             * @description Until when it holds.
             */
            expires?: string | null;
            /** @description The id: the public part of the key. */
            key: string;
            /**
             * Format: date-time
             * @description When it was used last, to about a minute.
             */
            last_used?: string | null;
            /** @description What may be done with it. */
            limits: components["schemas"]["Limits"];
            /** @description What it is for. */
            name: string;
            /** @description What the key begins with. */
            prefix: string;
            /** @description The projects it is for; none for all of the user's. */
            projects?: string[] | null;
            /**
             * Format: date-time
             * @description Since when it does not hold any more.
             */
            revoked?: string | null;
            /** @description What it allows. */
            right: components["schemas"]["Right"];
            /** @description The key itself. */
            secret: string;
            /** @description Whether it holds. */
            state: components["schemas"]["KeyState"];
            /** @description Whose it is. */
            user: string;
        };
        /** @description What requests at quiet hours cost, per million tokens. */
        OffPeak: {
            /**
             * Format: double
             * @description Those that were cached; as `input` when absent.
             * @default null
             */
            cached?: number | null;
            /**
             * Format: double
             * @description Tokens of the request.
             */
            input: number;
            /**
             * Format: double
             * @description Tokens of the answer.
             */
            output: number;
            /** @description When that is. */
            windows: components["schemas"]["QuietHours"][];
        };
        /** @description What became of characters. */
        Op: "same" | "added" | "removed";
        /** @description What the user wants: in words, or as an order that needs no understanding. */
        Order: {
            /** @constant */
            do: "say";
            /** @description The words. */
            text: string;
        } | {
            /** @constant */
            do: "advance";
        } | {
            /** @constant */
            do: "revisit";
            /** @description Its name or title. */
            phase: string;
        } | {
            /** @constant */
            do: "make";
            /**
             * @description Their paths; those of the current phase that have no value if there are none.
             * @default []
             */
            fields?: string[];
            /**
             * @description What the user wants of them.
             * @default
             */
            instruction?: string;
            /**
             * @description Whether their values are kept but for what the instruction asks for.
             * @default false
             */
            is_change?: boolean;
        } | {
            /** @constant */
            do: "make_stale";
        } | {
            /** @constant */
            do: "research";
            /**
             * Format: uint
             * @description Most sources that are read; as many as usual if nothing is said.
             */
            max_sources?: number | null;
            /**
             * @description What is asked; the question of the production if it is empty.
             * @default
             */
            question?: string;
        } | {
            /**
             * @description Paths of the content; all of it if there are none.
             * @default []
             */
            contents?: string[];
            /** @constant */
            do: "simulate";
            /**
             * @description What they do; everything if there is nothing.
             * @default []
             */
            interactions?: components["schemas"]["Interaction"][];
            /** @description Who reads; those of the project if there are none. What these say is a report of its own. */
            personas?: components["schemas"]["Persona"][];
        } | {
            /**
             * @description Paths of the content; all of it if there are none.
             * @default []
             */
            contents?: string[];
            /** @description By what; the criteria of the production if there are none. What is judged by these is a report of its own. */
            criteria?: components["schemas"]["Criterion"][];
            /** @constant */
            do: "evaluate";
            /**
             * Format: uint32
             * @description How often; as often as usual if nothing is said.
             * @default null
             */
            runs?: number | null;
        } | {
            /** @constant */
            do: "autonomy";
            /** @description The phase, or `all`, and what holds from now on. */
            phases: [
                string,
                components["schemas"]["Autonomy"]
            ][];
        } | {
            /** @constant */
            do: "end";
        };
        /** @description An organisation or power. */
        Organisation: {
            /**
             * @description Other names.
             * @default []
             */
            alias?: string[];
            /**
             * @description What it is and wants.
             * @default
             */
            description?: string;
            /**
             * @description Given by the studio, such as `g-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * @description The name; unique among organisations.
             * @default
             */
            name?: string;
        };
        /** @description Where a paragraph came from. */
        Origin: {
            /** Format: uint */
            line: number;
        } | {
            entry: {
                /** @description The entry. */
                name: string;
                /**
                 * Format: uint
                 * @description Which paragraph.
                 */
                paragraph: number;
            };
        };
        /** @description What of a text stands in others. */
        Originality: {
            /**
             * Format: uint
             * @description How many texts it was compared with.
             */
            compared: number;
            /**
             * Format: uint
             * @description How many of its Chinese characters and Latin words.
             */
            copied: number;
            /**
             * Format: uint
             * @description Of how many.
             */
            length: number;
            /** @description What is the same, in order of the text. */
            passages: components["schemas"]["Passage2"][];
            /** @description How bad that is; none if it is nothing. */
            severity?: components["schemas"]["Severity"] | null;
            /**
             * Format: double
             * @description The part of the text that stands elsewhere, from 0 to 1.
             */
            share: number;
            /** @description Where it stands, the largest part first. */
            sources: components["schemas"]["SourceShare"][];
        };
        /** @description A piece that is otherwise than it was. */
        Otherwise: {
            /** @description The fields that differ. */
            fields: string[];
            /** @description Its id. */
            id: string;
            /** @description What kind. */
            kind: string;
            /** @description Its name or title, if it has one. */
            name: string;
        };
        /** @description What a run ends with: its work so far, whether it is done, waits, failed or was stopped. */
        Outcome: {
            /** @description What failed. */
            errors: components["schemas"]["Failure2"][];
            /** @description What it made. */
            made: components["schemas"]["Made2"];
            /** @description The project. */
            project: string;
            /** @description What a person is asked. */
            question?: components["schemas"]["Question"] | null;
            /** @description The question's name: an answer that brings it along answers that question and no other. */
            question_id?: string | null;
            /** @description How it came about, oldest first. */
            reasoning: string[];
            /** @description The run. */
            run: string;
            /** @description How it stands. */
            status: components["schemas"]["RunStatus"];
            /** @description What it cost. */
            usage: components["schemas"]["UsageView"];
            /** @description What went on in a simpler way. */
            warnings: string[];
        };
        /** @description A node of the outline. Children name their parent; siblings are in `order`. */
        OutlineNode: {
            /**
             * @description What happens, naming the characters who act.
             * @default
             */
            description?: string;
            /**
             * @description What the node must achieve for the story.
             * @default
             */
            goal?: string;
            /**
             * @description Given by the studio, such as `o-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * @description What it is.
             * @default chapter
             */
            kind?: components["schemas"]["OutlineNodeKind"];
            /**
             * @description The name of the place, if there is one.
             * @default null
             */
            location?: string | null;
            /**
             * @description The title, such as `第一章 雨夜来客`.
             * @default
             */
            name?: string;
            /**
             * Format: uint32
             * @description The place among all nodes, from 1, in reading order.
             * @default 0
             */
            order?: number;
            /**
             * @description The id or name of the parent; none for a top node.
             * @default null
             */
            parent?: string | null;
            /**
             * @description Names of the characters who appear.
             * @default []
             */
            participants?: string[];
            /**
             * @description What was planted before and is paid here.
             * @default []
             */
            pays?: string[];
            /**
             * @description What is planted here and must be paid later.
             * @default []
             */
            plants?: string[];
            /**
             * Format: uint32
             * @description The words (English) or characters (Chinese) planned.
             * @default null
             */
            words?: number | null;
        };
        /** @description What an outline node is. */
        OutlineNodeKind: "act" | "chapter" | "scene";
        /** @description How quick a text is. */
        Pace: {
            /**
             * Format: double
             * @description Words of action in 1,000 characters or words.
             */
            actions: number;
            /** @description The same along the text. */
            curve: components["schemas"]["PacePoint"][];
            /**
             * Format: double
             * @description The pace of the whole, from 0 (slow) to 1 (quick).
             */
            mean: number;
        };
        /** @description How quick a part of a text is. */
        PacePoint: {
            /**
             * Format: double
             * @description Words of action in 1,000 characters or words.
             */
            actions: number;
            /**
             * Format: double
             * @description What of it is spoken, from 0 to 1.
             */
            dialogue: number;
            /**
             * Format: double
             * @description From 0 to 1, as `data/pace.toml` weighs.
             */
            pace: number;
            /**
             * Format: double
             * @description The mean length of its sentences.
             */
            sentence: number;
            /** @description The part, in bytes. */
            span: components["schemas"]["Range_of_uint"];
        };
        /** @description A part of a chapter. */
        Part: {
            /** @constant */
            by: "whole";
        } | {
            /** @constant */
            by: "paragraphs";
            /**
             * Format: uint
             * @description The first.
             */
            from: number;
            /**
             * Format: uint
             * @description The last.
             */
            to: number;
        } | {
            /** @constant */
            by: "characters";
            /**
             * Format: uint
             * @description The first.
             */
            from: number;
            /**
             * Format: uint
             * @description The one after the last.
             */
            to: number;
        };
        /** @description A passage that is shown, and where it stands. */
        Passage: {
            /** @description Where it stands. */
            citation: components["schemas"]["Citation"];
            /** @description What stands over it: the title and place of prose, the name of a card. */
            heading: string;
            /**
             * Format: uint
             * @description What it is cited by, from 1.
             */
            number: number;
            /** @description Words in it that speak to a model. */
            suspicious?: string | null;
            /** @description Its words. They are data, whatever they say. */
            text: string;
            /**
             * Format: uint64
             * @description What it costs, heading included.
             */
            tokens: number;
        };
        /**
         * @description Something that stands in two texts.
         *
         *     It is as long as it can be: the next token on either side differs. Where few tokens were put in, taken out or changed
         *     in between, it is still one passage.
         */
        Passage2: {
            /**
             * Format: uint
             * @description How many tokens are the same.
             */
            same: number;
            /** @description The id of the other text. */
            source: string;
            /** @description Its bytes in the other text. */
            source_span: components["schemas"]["Range_of_uint"];
            /** @description The other text as it stands there. */
            source_text: string;
            /** @description Its bytes in the text. */
            span: components["schemas"]["Range_of_uint"];
            /** @description The text as it stands there. */
            text: string;
            /** @description Whether all of them are. */
            verbatim: boolean;
        };
        /** @description What a caller may do; each includes those before it. */
        Permission: "read" | "write" | "admin";
        /** @description Somebody who reads. */
        Persona: {
            /**
             * @description What they doubt.
             * @default
             */
            doubts?: string;
            /**
             * @description What they know already.
             * @default
             */
            knows?: string;
            /**
             * @description The name.
             * @default
             */
            name?: string;
            /**
             * @description The situation in which they meet the content.
             * @default
             */
            situation?: string;
            /**
             * @description What they want.
             * @default
             */
            wants?: string;
            /**
             * @description Who they are.
             * @default
             */
            who?: string;
        };
        /** @description One stretch of a production. */
        Phase: {
            /**
             * @description Whether a person confirms what came of it.
             * @default wait
             */
            autonomy?: components["schemas"]["Autonomy"];
            /**
             * @description Whether it is done: confirmed by a person, or by its autonomy.
             * @default false
             */
            is_done?: boolean;
            /**
             * @description What is done in it.
             * @default make
             */
            kind?: components["schemas"]["PhaseKind"];
            /**
             * @description The name, such as `design_inner`.
             * @default
             */
            name?: string;
            /**
             * @description The name for people.
             * @default
             */
            title?: string;
        };
        /** @description What is done in a phase. */
        PhaseKind: "interview" | "research" | "make" | "simulate" | "evaluate";
        /** @description A phase in a list. */
        PhaseRow: {
            /**
             * @description Whether a person confirms what came of it.
             * @default wait
             */
            autonomy?: components["schemas"]["Autonomy"];
            /**
             * Format: uint
             * @description Likewise.
             */
            confirmed: number;
            /**
             * Format: uint
             * @description Likewise.
             */
            draft: number;
            /**
             * Format: uint
             * @description How many of its fields stand how.
             */
            empty: number;
            /**
             * @description Whether it is done: confirmed by a person, or by its autonomy.
             * @default false
             */
            is_done?: boolean;
            /**
             * @description What is done in it.
             * @default make
             */
            kind?: components["schemas"]["PhaseKind"];
            /**
             * @description The name, such as `design_inner`.
             * @default
             */
            name?: string;
            /**
             * Format: uint
             * @description Likewise.
             */
            stale: number;
            /**
             * @description The name for people.
             * @default
             */
            title?: string;
        };
        /** @description What kind of piece it is; the `kind` in the parameters of a correction instruction. */
        PieceKind: "character" | "relation" | "outline_node" | "event" | "plot_node" | "location" | "organisation" | "item" | "world_rule" | "document" | "fact" | "promise" | "worldview" | "style";
        /** @description A change, as the log has it. */
        PieceMade: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Who made it. */
            provenance: components["schemas"]["ChangeProvenance"];
            /**
             * Format: uint64
             * @description The version of the project from then on.
             */
            version: number;
        };
        /** @description A piece in a list. */
        PieceName: {
            /** @description Its id. */
            id: string;
            /** @description What kind. */
            kind: string;
            /** @description Its name or title, if it has one. */
            name: string;
        };
        /** @description What a value may be. */
        Plain: boolean | number | string;
        /** @description The planner's answer. */
        Plan: {
            /** @description The steps. */
            execution_plan: components["schemas"]["ExecutionPlan"];
            /**
             * @description Why this plan.
             * @default []
             */
            reasoning?: string[];
            /** @description What is asked for. */
            requirement_analysis: components["schemas"]["RequirementAnalysis"];
            /**
             * @description What the agents may use.
             * @default {
             *       "context_mode": "auto",
             *       "enable_knowledge_graph": false,
             *       "enable_rag": true
             *     }
             */
            tool_configuration?: components["schemas"]["ToolConfiguration"];
        };
        /** @description A step of a plan and how it ended. */
        PlannedStep: {
            /**
             * @description The agent that does it.
             * @default
             */
            agent?: string;
            /** @description Why it failed, if it did. */
            reason?: string | null;
            /**
             * @description How it ended.
             * @default open
             */
            state?: components["schemas"]["StepState"];
            /**
             * Format: uint32
             * @description Its number.
             * @default 0
             */
            step?: number;
        };
        /** @description Whose rules a text must keep. */
        PlatformChoice: "general" | {
            named: string;
        } | {
            rules: string;
        };
        /** @description The work of a plot node. */
        PlotKind: "setup" | "conflict" | "turn" | "climax" | "resolution";
        /** @description A node of the plot: what drives the story, beside when it happens. */
        PlotNode: {
            /**
             * @description Titles or ids of the plot nodes that cause it.
             * @default []
             */
            causes?: string[];
            /**
             * @description What turns, and why.
             * @default
             */
            description?: string;
            /**
             * @description Titles or ids of the events it is made of.
             * @default []
             */
            events?: string[];
            /**
             * @description Given by the studio, such as `p-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * @description Its work in the story.
             * @default setup
             */
            kind?: components["schemas"]["PlotKind"];
            /**
             * @description The name or id of the outline node it belongs to.
             * @default null
             */
            outline_node?: string | null;
            /**
             * @description A short title; unique in a story.
             * @default
             */
            title?: string;
        };
        /** @description What a model costs per million tokens. */
        Price: {
            /**
             * Format: double
             * @description Tokens of the request read from the provider's cache; as `input` when absent.
             * @default null
             */
            cached?: number | null;
            /** @description The currency's code, such as `CNY`. */
            currency: string;
            /**
             * @description When this was the published price; empty if nobody said.
             * @default
             */
            date?: string;
            /**
             * Format: double
             * @description Tokens of the request.
             */
            input: number;
            /** @description What long requests cost. */
            long?: components["schemas"]["LongPrice"] | null;
            /** @description What it costs at quiet hours. */
            off_peak?: components["schemas"]["OffPeak"] | null;
            /**
             * Format: double
             * @description Tokens of the answer.
             */
            output: number;
        };
        /** @description Prices by model name, `provider/model`; a name with a trailing `*` matches any ending. */
        Prices: {
            [key: string]: components["schemas"]["Price"];
        };
        Problem: components["schemas"]["ProblemDocument"];
        /** @description The body of an `application/problem+json` response. */
        ProblemDocument: {
            /** @description Stable, such as `unknown_project`. */
            code: string;
            /**
             * @description What the message is made of, by name.
             * @default {}
             */
            data?: {
                [key: string]: unknown;
            };
            /** @description The request, as in the logs. */
            request_id?: string | null;
            /**
             * Format: uint64
             * @description In how many seconds it is worth trying again, if waiting helps.
             */
            retry_after?: number | null;
            /**
             * Format: uint16
             * @description The status of the answer.
             */
            status: number;
            /** @description In English, for logs and for people without a door of their own. */
            title: string;
            /** @description Names the kind of problem: `urn:qingyu:error:` and the code. */
            type: string;
        };
        /** @description How a production goes: its phases in order, what its content is judged by, where it goes to. */
        Production: {
            /**
             * @description Where content goes to.
             * @default []
             */
            channels?: components["schemas"]["Channel"][];
            /**
             * @description What content is judged by.
             * @default []
             */
            criteria?: components["schemas"]["Criterion"][];
            /**
             * @description The name of the phase that is worked on; empty once all are done.
             * @default
             */
            current_phase?: string;
            /**
             * @description The phases, in order.
             * @default []
             */
            phases?: components["schemas"]["Phase"][];
            /**
             * @description The template that it was begun from, such as `course`.
             * @default
             */
            template?: string;
        };
        /** @description A production as it stands. */
        ProductionView: {
            /** @description The phase that is worked on; empty once all are done. */
            current_phase: string;
            /** @description The fields, in order. */
            fields: components["schemas"]["Row"][];
            /** @description What every model is told. */
            golden_context: components["schemas"]["GoldenContext"];
            /** @description The phases, in order. */
            phases: components["schemas"]["PhaseRow"][];
            /** @description The project. */
            project: string;
            /** @description The newest run, if there is one, and how it stands. */
            run?: [
                string,
                components["schemas"]["RunStatus"]
            ] | null;
            /** @description The template it was begun from. */
            template: string;
            /** @description Its title. */
            title: string;
            /** @description What the user is asked, if the run waits. */
            turn?: components["schemas"]["Turn"] | null;
        };
        /** @description One thing that happened. */
        Progress: {
            /** @description Why it is the default plan, if it is. */
            fallback?: string | null;
            /** @constant */
            kind: "planned";
            /** @description The plan, checked and completed. */
            plan: components["schemas"]["Plan"];
        } | {
            /** @constant */
            kind: "plan_adjusted";
            /** @description The plan from now on. */
            plan: components["schemas"]["Plan"];
            /** @description What was changed and why. */
            reason: string;
        } | {
            /** @description Its name, such as `outline_agent`. */
            agent: string;
            /** @constant */
            kind: "agent_started";
            /** @description In which of the three ways. */
            mode: components["schemas"]["WorkMode"];
            /**
             * Format: uint32
             * @description The plan's step, if it is one.
             */
            step_id?: number | null;
            /** @description The task in words. */
            task: string;
        } | {
            /** @description The agent whose call it is. */
            agent: string;
            /** @constant */
            kind: "text";
            /** @description The piece. */
            text: string;
        } | {
            /** @description The agent. */
            agent: string;
            /**
             * Format: uint32
             * @description How often the model was asked until the answer fitted its schema.
             */
            attempts: number;
            /**
             * Format: uint32
             * @description The chapter it worked on, if it worked on one.
             */
            chapter?: number | null;
            /**
             * Format: uint64
             * @description In millionths of the price's currency; none when the price is unknown.
             */
            cost_micros?: number | null;
            /**
             * @description The key of the stored step, unique among the calls of a run and the same when the call is told again:
             *     calls are counted once by it.
             */
            key: string;
            /** @constant */
            kind: "called";
            /**
             * Format: uint64
             * @description How long it took.
             */
            millis: number;
            /** @description The model that answered. */
            model: string;
            /** @description The purpose, such as `outline.generate`. */
            purpose: string;
            /** @description Whether the JSON had to be repaired. */
            repaired: boolean;
            /** @description Whether the answer came from a cassette and was not paid for. */
            replayed?: boolean;
            /** @description Whether the answer came from the record of an earlier attempt of this run. */
            reused: boolean;
            /** @description Why it was not the model that was asked for, if it was another. */
            substitution?: components["schemas"]["Substitution"] | null;
            /** @description What was counted. */
            usage: components["schemas"]["Usage"];
        } | {
            /** @description Its name. */
            agent: string;
            /** @constant */
            kind: "agent_finished";
            /** @description Pieces it made, changed or took out, by name. */
            pieces: string[];
            /** @description How it came to that, a line each. */
            reasoning?: string[];
            /** @description In a line: what it made or changed. */
            summary: string;
        } | {
            /**
             * Format: uint32
             * @description From 0, the number of correction rounds before this review.
             */
            iteration: number;
            /** @constant */
            kind: "reviewed";
            /** @description The report. */
            report: components["schemas"]["DiagnosticReport"];
        } | {
            /** @description Who is to correct, in restart order. */
            agents: components["schemas"]["Agent"][];
            /** @description What they are told. */
            instructions: components["schemas"]["CorrectionInstruction"][];
            /**
             * Format: uint32
             * @description Which round, from 1.
             */
            iteration: number;
            /** @constant */
            kind: "correction_planned";
            /** @description `incremental` or `regenerate`. */
            mode: string;
        } | {
            /** @constant */
            kind: "phase";
            /** @description Its name. */
            phase: string;
            /** @description Its name for people. */
            title: string;
        } | {
            /** @constant */
            kind: "field";
            /** @description Its path. */
            path: string;
            /** @description What. */
            step: components["schemas"]["FieldStep"];
            /** @description Its name for people. */
            title: string;
        } | {
            /** @description Why it was done by rules, if a model should have done it. */
            fallback?: string | null;
            /** @constant */
            kind: "task_split";
            /** @description What is to be done, in order. */
            subtasks: components["schemas"]["Subtask"][];
        } | {
            /** @description Who does it. */
            agent: string;
            /** @description What it is. */
            description: string;
            /** @constant */
            kind: "subtask_started";
            /** @description Its name. */
            task: string;
        } | {
            /** @description The step, such as `retrieve_context`. */
            action: string;
            /** @description The agent. */
            agent: string;
            /** @description The same in words. */
            description: string;
            /** @constant */
            kind: "step_started";
            /** @description The task. */
            task: string;
        } | {
            /** @description The agent. */
            agent: string;
            /** @constant */
            kind: "tool_called";
            /**
             * Format: uint64
             * @description How long it took.
             */
            millis: number;
            /** @description Whether it had an answer. */
            success: boolean;
            /** @description The tool. */
            tool: string;
        } | {
            /** @description Who did it. */
            agent: string;
            /** @constant */
            kind: "subtask_finished";
            /** @description How it ended. */
            status: components["schemas"]["Status"];
            /** @description The first line of what came of it, or why nothing did. */
            summary: string;
            /** @description Its name. */
            task: string;
        } | {
            /** @constant */
            kind: "writes_requested";
            /** @description What would be changed. */
            writes: components["schemas"]["Write"][];
        } | {
            /** @constant */
            kind: "human_review_requested";
            /** @description Why: `max_iterations`, `stalled`, `low_score`, `unmet_wish` or `strategy`. */
            reason: string;
            /** @description The report as it stands. */
            report: components["schemas"]["DiagnosticReport"];
        } | {
            /**
             * Format: uint32
             * @description Its number.
             */
            chapter: number;
            /** @constant */
            kind: "chapter";
            /** @description What happened. */
            step: components["schemas"]["ChapterStep"];
            /** @description Its title. */
            title: string;
        } | {
            /** @constant */
            kind: "warning";
            /** @description What and why. */
            message: string;
        };
        /** @description How far the plan is carried out. */
        Progress2: {
            /**
             * Format: uint
             * @description How many chapters the outline has.
             */
            chapters_planned: number;
            /**
             * Format: uint
             * @description How many of them have a text.
             */
            chapters_written: number;
            /**
             * Format: double
             * @description Written by planned, from 0; over 1 where the book has outgrown its plan.
             */
            share?: number | null;
            /**
             * Format: uint64
             * @description The words planned; of chapters that say none, the mean of those that do. None if no chapter says any.
             */
            words_planned?: number | null;
            /**
             * Format: uint64
             * @description The words written.
             */
            words_written: number;
        };
        /** @description A project in a list. */
        ProjectRow: {
            /** @description What it is called as a branch. */
            branch?: string | null;
            /** @description The project that it is a branch of, if it is one. */
            branch_of?: string | null;
            /**
             * Format: date-time
             * @description When it began.
             */
            created: string;
            /** @description The language of the work. */
            language: components["schemas"]["Language"];
            /** @description The words it began with. */
            premise: string;
            /** @description Its id. */
            project: string;
            /** @description Its title. */
            title: string;
            /**
             * Format: uint32
             * @description How many of its chapters no model has read as they stand; none where that was not counted.
             */
            unread?: number | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated: string;
            /**
             * Format: uint64
             * @description Grows with each change.
             */
            version: number;
        };
        /** @description Everything about a project. */
        ProjectView: {
            /** @description The chapters that have a text, and how far each has been read. */
            chapters: components["schemas"]["ChapterCoverage"][];
            /** @description The project. */
            project: components["schemas"]["ProjectRow"];
            /** @description Which run, agent, prompt and model made each piece. */
            provenance: components["schemas"]["Provenance"][];
            /** @description What the newest run asks a person, if it waits. */
            question?: components["schemas"]["Question"] | null;
            /** @description The reasoning of the last run, oldest first. */
            reasoning: string[];
            /** @description The report of the last review. */
            report?: components["schemas"]["DiagnosticReport"] | null;
            /** @description Its runs, newest first. */
            runs: components["schemas"]["RunRow"][];
            /** @description The story as it stands. */
            story: components["schemas"]["Story"];
            /** @description What all its runs cost. */
            usage: components["schemas"]["UsageView"];
        };
        /** @description A promise, and where it is kept alive. Places are names or ids of outline nodes or documents. */
        Promise: {
            /**
             * @description Where the reader is reminded of it.
             * @default []
             */
            advanced?: string[];
            /**
             * @description What the reader is led to expect.
             * @default
             */
            description?: string;
            /**
             * @description Where it must be paid at the latest.
             * @default null
             */
            due?: string | null;
            /**
             * @description Given by the studio, such as `promise-3`; may be left empty.
             * @default
             */
            id?: string;
            /**
             * Format: uint8
             * @description From 1 (colour) to 10 (the story turns on it).
             * @default 0
             */
            importance?: number;
            /**
             * @description A short name, such as `义眼里的录像`; unique in a story.
             * @default
             */
            name?: string;
            /**
             * @description Where it is paid.
             * @default []
             */
            paid?: string[];
            /**
             * @description Where it is planted.
             * @default []
             */
            planted?: string[];
        };
        /** @description A prompt as a model would read it. */
        PromptPreview: {
            /** @description Why it cannot be filled. */
            problem?: components["schemas"]["PromptProblem"] | null;
            /** @description The prompt, filled; nothing if it cannot be. */
            text?: string | null;
            /**
             * Format: uint64
             * @description How many tokens it has, by a rule of thumb.
             */
            tokens: number;
        };
        /** @description Why a text cannot be a prompt. */
        PromptProblem: {
            /**
             * Format: uint
             * @description The line that is wrong, from 1, if one is.
             */
            line?: number | null;
            /** @description What is wrong. */
            message: string;
        };
        /** @description A prompt in a list. */
        PromptRow: {
            /** @description Whose it is: the folder, such as `outline`. Those in `shared` are parts of others. */
            agent: string;
            /** @description Its language. */
            language: components["schemas"]["Language"];
            /** @description Its name, such as `outline/generate.zh.md`. */
            name: string;
            /** @description Whether the author's own text is in its place. */
            overridden: boolean;
            /** @description What it is for: the file, such as `generate`. */
            part: string;
            /** @description Why that text cannot be used, if it cannot: runs that need it fail. */
            problem?: components["schemas"]["PromptProblem"] | null;
        };
        /** @description A prompt with its texts. */
        PromptView: {
            /** @description Whose it is: the folder, such as `outline`. Those in `shared` are parts of others. */
            agent: string;
            /** @description As it is built in. */
            built_in: string;
            /** @description Its language. */
            language: components["schemas"]["Language"];
            /** @description Its name, such as `outline/generate.zh.md`. */
            name: string;
            /** @description Whether the author's own text is in its place. */
            overridden: boolean;
            /** @description What it is for: the file, such as `generate`. */
            part: string;
            /** @description As a model would read it now. */
            preview: components["schemas"]["PromptPreview"];
            /** @description Why that text cannot be used, if it cannot: runs that need it fail. */
            problem?: components["schemas"]["PromptProblem"] | null;
            /** @description The author's own text, if there is one. */
            text?: string | null;
            /** @description What it may ask for. */
            variables: string[];
        };
        /** @description A text as it is to be, and where that differs from what it is. */
        Proposal: {
            /**
             * @description SHA-256 of the text that it was made for, in hexadecimal; empty for a new one.
             * @default
             */
            base?: string;
            /**
             * @description The document to be changed; none for a new one.
             * @default null
             */
            document?: string | null;
            /**
             * Format: uint32
             * @description Its place in reading order, for a new one.
             * @default null
             */
            order?: number | null;
            /**
             * @description The outline node that it tells, for a new one.
             * @default null
             */
            outline_node?: string | null;
            /**
             * @description What changes, in order; what is between is the same byte for byte.
             * @default []
             */
            spans?: components["schemas"]["Span"][];
            /**
             * @description The whole text as it is to be.
             * @default
             */
            text?: string;
            /**
             * @description Its title.
             * @default
             */
            title?: string;
        };
        /** @description Where a piece comes from. */
        Provenance: {
            /** @description The agent, or `person`. */
            agent: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Its id. */
            id: string;
            /** @description What kind of piece: `outline_node`, `character`, `relation`, `event`, `plot_node`, `worldview`, …. */
            kind: string;
            /** @description The model. */
            model?: string | null;
            /** @description Its name or title, if it has one. */
            name: string;
            /** @description The hash of the prompt. */
            prompt_hash?: string | null;
            /** @description The run that last changed it. */
            run?: string | null;
            /**
             * Format: uint64
             * @description The tokens of the call that made it, together with the pieces made by the same call.
             */
            tokens: number;
        };
        /** @description What a person is asked. */
        Question: (components["schemas"]["HumanReview"] & {
            /** @constant */
            asks: "human_review";
        }) | (components["schemas"]["AuthorQuestions"] & {
            /** @constant */
            asks: "chapters";
        }) | (components["schemas"]["WriteRequest"] & {
            /** @constant */
            asks: "writes";
        }) | {
            /** @constant */
            asks: "turn";
            /**
             * @description What the run says.
             * @default {
             *       "asks": "anything",
             *       "fields": [],
             *       "options": [],
             *       "phase": "",
             *       "text": ""
             *     }
             */
            turn?: components["schemas"]["Turn"];
        };
        /** @description A question. What is left out is not restricted. */
        Question2: {
            /** @description The name or id of the character, place, thing, organisation, event or fact that it is about, on either side. */
            about?: string | null;
            /**
             * @description As of when: an event, a time in the story's words, or an outline node or document, for what has been told by
             *     its end; chapters also by their number, such as `chapter:2` or `第2章`.
             */
            as_of?: string | null;
            /** @description The predicate, under any of its names. */
            predicate?: string | null;
        };
        /** @description A question to the author. */
        Question3: {
            /** @description What is asked. */
            doubt: components["schemas"]["Doubt2"];
            /** @description About which statement. */
            told: components["schemas"]["Told"];
        };
        /** @description Hours of some days of the week. */
        QuietHours: {
            /** @description Such as `10:00-00:00`, in UTC; the end is not part of it. */
            hours: string[];
            /** @description From 1, Monday, to 7. */
            weekdays: number[];
        };
        /** @description A sentence of a document. */
        Quotation: {
            /**
             * @description The id or title of the document.
             * @default
             */
            document?: string;
            /**
             * Format: uint32
             * @description Where it ends, in characters; the character there is no longer part of it.
             * @default null
             */
            end?: number | null;
            /**
             * @description The words.
             * @default
             */
            quote?: string;
            /**
             * Format: uint32
             * @description Where the sentence begins, in characters (not bytes) from the beginning of the text.
             * @default null
             */
            start?: number | null;
            /**
             * Format: uint32
             * @description The version of the document that was read; 0 if unknown.
             * @default 0
             */
            version?: number;
        };
        /** @description A place of the text that shows a figure. */
        Quote: {
            /** @description What it shows. */
            shows: components["schemas"]["Shown"];
            /** @description Its bytes in the text. */
            span: components["schemas"]["Range_of_uint"];
            /** @description The words. */
            text: string;
            /**
             * Format: double
             * @description The figure: a length, a strength of feeling, or a pace.
             */
            value: number;
        };
        /** @description A sentence of a passage. */
        Quoted: {
            /**
             * Format: uint
             * @description The number of the passage.
             */
            number: number;
            /**
             * @description The sentence, letter by letter.
             * @default
             */
            quote?: string;
        };
        /** @description A number that is not certain. */
        Range: {
            /**
             * Format: uint64
             * @description When all goes well.
             */
            least: number;
            /**
             * Format: uint64
             * @description Usually.
             */
            likely: number;
            /**
             * Format: uint64
             * @description When nothing does.
             */
            most: number;
        };
        Range_of_uint: {
            /** Format: uint */
            end: number;
            /** Format: uint */
            start: number;
        };
        /** @description A superlative: `最谨慎`, `the least honest`. */
        Rank: {
            /** @description Whether the most of it is asked for, not the least. */
            most: boolean;
            /** @description The quality, as it is written. */
            quality: string;
        };
        /** @description How easily a text reads. */
        Readability: {
            /** @description In a word. */
            ease: components["schemas"]["Ease"];
            /** @description The formula. */
            formula: components["schemas"]["Formula"];
            /**
             * Format: double
             * @description The school grade, where the formula has one.
             */
            grade?: number | null;
            /**
             * Format: double
             * @description What it gives: for Flesch higher is easier, for Xu higher is harder.
             */
            score: number;
            /** @description What went into the formula: `words_per_sentence`, `syllables_per_word`, `characters_per_clause`, `function_words`. */
            values: {
                [key: string]: number;
            };
        };
        /** @description How chapters are read when a story is settled again. */
        Reading: "recalled" | "rules";
        /** @description A model's reading of a document. */
        ReadMark: {
            /**
             * @description The digest of the text that was read.
             * @default
             */
            digest?: string;
            /**
             * @description The model that read it.
             * @default
             */
            model?: string;
            /**
             * Format: uint32
             * @description The version of the document that was read.
             * @default 0
             */
            version?: number;
        };
        /** @description How far the current text of a chapter has been read. */
        ReadState: "unread" | "rules_only" | "changed" | "read";
        /** @description Why a statement was not believed, or a part of it. */
        Reason: {
            /** @constant */
            reason: "not_in_text";
        } | {
            /** @constant */
            reason: "empty";
        } | {
            /** @description The name. */
            name: string;
            /** @constant */
            reason: "unknown";
        } | {
            /** @description The name. */
            name: string;
            /** @constant */
            reason: "left_out";
        } | {
            /** @constant */
            reason: "taken_out";
        };
        /** @description A story settled again from its prose. */
        Reconciled: {
            /**
             * Format: uint64
             * @description The change that holds it; none if nothing was changed, or it was only shown.
             */
            change?: number | null;
            /** @description Pieces that are otherwise. */
            changed: components["schemas"]["Otherwise"][];
            /**
             * Format: uint
             * @description How many chapters were read.
             */
            chapters: number;
            /** @description Pieces that are new. */
            created: components["schemas"]["PieceName"][];
            /** @description Whether anything would change that was not changed. */
            is_pending: boolean;
            /** @description What stays though no chapter says it any more. */
            kept: components["schemas"]["Kept"][];
            /** @description What only the author can tell. */
            questions: components["schemas"]["Question3"][];
            /** @description The chapters of the book, and how far each has been read; settling again from what is on record is no reading. */
            readings: components["schemas"]["ChapterCoverage"][];
            /** @description What was not believed. */
            rejected: components["schemas"]["Rejected"][];
            /** @description Pieces that are gone. */
            removed: components["schemas"]["PieceName"][];
        };
        /** @description A statement that was not believed. */
        Rejected: {
            /** @description Why. */
            reason: components["schemas"]["Reason"];
            /** @description The statement. */
            told: components["schemas"]["Told"];
        };
        /** @description What one character is to another. The first eight are the same in both directions. */
        RelationKind: "knows" | "friend" | "enemy" | "family" | "lover" | "rival" | "ally" | "sibling" | "parent_of" | "child_of" | "mentor_of" | "student_of" | "employer_of" | "employee_of";
        /** @description What the requirement asks for. */
        RequirementAnalysis: {
            /**
             * @description How much of it.
             * @default medium
             */
            complexity?: components["schemas"]["Complexity"];
            /**
             * @description What it takes: `worldview`, `character`, `outline`, `plot`, `style`.
             * @default []
             */
            required_capabilities?: string[];
            /**
             * @description What kind of work it is.
             * @default new_creation
             */
            type?: components["schemas"]["RequirementKind"];
        };
        /** @description What kind of work a requirement asks for. */
        RequirementKind: "new_creation" | "extension" | "modification";
        /** @description A text that was put back. */
        Restored: {
            /**
             * Format: uint64
             * @description The change; none if it had that text already.
             */
            change?: number | null;
            /** @description The id of the document. */
            document: string;
            /**
             * Format: uint32
             * @description The version whose text it has again.
             */
            restored: number;
            /** @description Its title. */
            title: string;
            /**
             * Format: uint32
             * @description The version that it has now.
             */
            version: number;
        };
        /** @description A fact that another document, or the author, tells first. */
        Retold: {
            /** @description The id of the fact. */
            id: string;
            /** @description The sentence that tells it again. */
            source: components["schemas"]["Quotation"];
        };
        /** @description What a review found in a text. */
        Review: {
            /** @description Rules of the platform that are not kept. */
            compliance: components["schemas"]["Finding2"][];
            /** @description How many things of which severity were found. */
            counts: {
                [key: string]: number;
            };
            /**
             * Format: uint
             * @description Chinese characters and Latin words.
             */
            length: number;
            /** @description How strictly it was looked at. */
            level: components["schemas"]["Level"];
            /** @description What stands elsewhere; none if there was nothing to compare with. */
            originality?: components["schemas"]["Originality"] | null;
            /** @description The platform whose rules were applied, by its name. */
            platform: string;
            /** @description What people call the platform. */
            platform_title: string;
            /** @description Words that the level reports. */
            sensitive: components["schemas"]["Hit2"][];
            /** @description What comes of it. */
            verdict: components["schemas"]["Verdict2"];
        };
        /** @description A text that was reviewed. */
        Reviewed: {
            /** @description The id of the document, if it is a chapter of a project. */
            document?: string | null;
            /** @description What was found. Spans are bytes of the text. */
            review: components["schemas"]["Review"];
            /** @description What it is called. */
            title: string;
        };
        /** @description How texts are reviewed. */
        ReviewOptions: {
            /**
             * @description Other texts that nothing may be copied from: what they are called, and their words.
             * @default []
             */
            against?: [
                string,
                string
            ][];
            /**
             * @description The language of titles and advice.
             * @default zh
             */
            language?: components["schemas"]["Language"];
            /**
             * @description How strictly; as the platform does if none is given.
             * @default null
             */
            level?: components["schemas"]["Level"] | null;
            /**
             * @description Whose rules.
             * @default general
             */
            platform?: components["schemas"]["PlatformChoice"];
        };
        /** @description Texts that were reviewed together. */
        Reviews: {
            /** @description Each text. */
            reviews: components["schemas"]["Reviewed"][];
            /** @description The worst of the verdicts. */
            verdict: components["schemas"]["Verdict2"];
        };
        /** @description What somebody may do; each right holds those before it. */
        Right: "read" | "write" | "admin";
        /** @description The part of a character. */
        RoleType: "protagonist" | "antagonist" | "supporting" | "minor";
        /** @description A field in a list, without its value. */
        Row: {
            /** @description What of that is why it is stale. */
            because?: string[];
            /** @description What it is made from. */
            depends_on: string[];
            /**
             * Format: uint
             * @description Characters or words of its value, as text.
             */
            length: number;
            /** @description Its path. */
            path: string;
            /** @description Its phase. */
            phase: string;
            /** @description How it stands. */
            status: components["schemas"]["Status2"];
            /** @description Its name for people. */
            title: string;
            /**
             * Format: uint32
             * @description Its version.
             */
            version: number;
        };
        /** @description Which rules ran. */
        RuleCoverage: {
            /** @description The rules that ran but had nothing to look at, by what is missing. */
            blind?: components["schemas"]["BlindRules"][];
            /**
             * Format: uint
             * @description How many of them found nothing, those that could not look included.
             * @default 0
             */
            clean?: number;
            /**
             * Format: uint
             * @description How many rules are switched off in the settings.
             * @default 0
             */
            off?: number;
            /**
             * Format: uint
             * @description How many rules ran.
             * @default 0
             */
            run?: number;
        };
        /** @description An example of a rule. */
        RuleExample: {
            /** @description What to see in it. */
            note: string;
            /** @description The parts of the story that matter. */
            story: unknown;
        };
        /** @description A rule of the checker. */
        RuleRow: {
            /** @description Its code, such as `QY101`. */
            code: string;
            /** @description What it finds and why it matters. */
            explanation: string;
            /** @description A story in which it finds something. */
            fires: components["schemas"]["RuleExample"];
            /** @description Its name in a few words. */
            name: string;
            /** @description How bad a finding is, with the settings as they are; none if the rule is off. */
            severity?: components["schemas"]["Severity"] | null;
            /** @description A near miss that it leaves alone. */
            spares: components["schemas"]["RuleExample"];
        };
        /** @description A run in a list. */
        RunRow: {
            /**
             * Format: date-time
             * @description When it ended, was stopped or began to wait; none while it works.
             */
            ended?: string | null;
            /** @description The model of most roles. */
            model: string;
            /** @description Its project. */
            project: string;
            /**
             * Format: uint8
             * @description The score of the last review.
             */
            quality_score?: number | null;
            /** @description The user's words. */
            requirement: string;
            /** @description Its id. */
            run: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            started: string;
            /** @description How it stands. */
            status: components["schemas"]["RunStatus"];
            /** @description The project's title. */
            title: string;
            /** @description What it has cost so far. */
            usage: components["schemas"]["UsageView"];
        };
        /** @description How a run stands. */
        RunStatus: "running" | "waiting" | "done" | "failed" | "interrupted";
        /** @description What came of a run. */
        RunSummary: {
            /** @description Where it is kept; empty for those who do not work at that machine. */
            data_folder: string;
            /**
             * Format: uint32
             * @description Correction rounds.
             */
            iteration_count: number;
            /**
             * Format: uint64
             * @description How long it ran, all attempts together.
             */
            millis: number;
            /** @description Whether the last review passed. */
            passed: boolean;
            /** @description How many pieces of each kind the project holds now, as `outline_nodes` → 12. */
            pieces: {
                [key: string]: number;
            };
            /**
             * Format: uint8
             * @description The score of the last review, if there was one.
             */
            quality_score?: number | null;
            /** @description How it ended. */
            status: components["schemas"]["RunStatus"];
            /** @description What it cost. */
            usage: components["schemas"]["UsageView"];
        };
        /** @description A scene of a chapter. */
        ScenePlan: {
            /**
             * @description What happens, beat by beat.
             * @default []
             */
            beats?: string[];
            /**
             * @description Where, by name.
             * @default
             */
            location?: string;
            /**
             * @description Who is there, by name.
             * @default []
             */
            participants?: string[];
            /**
             * @description A short title.
             * @default
             */
            title?: string;
            /**
             * Format: uint32
             * @description Chinese characters or English words.
             * @default 0
             */
            words?: number;
        };
        /** @description What a search found. */
        Searched: {
            /** @description How far the embedder of the settings has come, if its vectors are not whole yet. */
            embedding?: components["schemas"]["Embedded"] | null;
            /** @description The hits, best first. */
            hits: components["schemas"]["Hit"][];
            /** @description The pieces that it names. */
            names: string[];
            /** @description The question as a pattern, if the rules could read it as one. */
            pattern?: string | null;
            /** @description The model that put the hits in order, if one did. */
            reranked?: string | null;
            /** @description What was searched for. */
            text: string;
            /** @description What made the vectors that were compared. */
            vectors: string;
        };
        /** @description What is searched for in a project. */
        SearchRequest: {
            /**
             * Format: uint32
             * @description For whoever writes this chapter: only what is told before it, and rather what is recent, has its cast, or is a
             *     promise that waits.
             */
            at?: number | null;
            /**
             * Format: uint32
             * @description Only what is told before this chapter.
             */
            before?: number | null;
            /** @description A condition on the metadata. */
            condition?: string | null;
            /**
             * @description Kinds of pieces, such as `character`; `chapter` means prose and outline. All if empty.
             * @default []
             */
            kinds?: string[];
            /**
             * Format: uint
             * @description How many hits at most; ten if nothing is said.
             * @default 10
             */
            limit?: number;
            /**
             * @description Whether a model puts the hits in order.
             * @default false
             */
            rerank?: boolean;
            /** @description The words, or a question. */
            text: string;
        };
        /** @description A server of tools that was tried. */
        ServerCheck: {
            /** @description Why it, or a tool of it, cannot be used. */
            problems: string[];
            /** @description Its name in the settings. */
            server: string;
            /** @description The tools that it brings, by the names that they have here. */
            tools: string[];
        };
        /** @description What a setting is, now that it was changed. */
        SettingChange: {
            /** @description Its place in the file, such as `models.default`. */
            key: string;
            /** @description The layer that it comes from now; none if no layer says anything. */
            layer?: components["schemas"]["Layer"] | null;
            /** @description Whether it is minded only once the server is started anew. */
            restart: boolean;
            /** @description The file or variable it comes from. */
            source?: string | null;
            /** @description Its value as it holds now, `"***"` for secrets; nothing if no layer says anything. */
            value: unknown;
            /** @description The layer that was written. What holds comes from another one where that goes over it. */
            written: components["schemas"]["Layer"];
        };
        /** @description One effective setting. */
        SettingRow: {
            /** @description Its place in the file, such as `models.default`. */
            key: string;
            /** @description The layer it comes from. */
            layer: components["schemas"]["Layer"];
            /** @description The file or variable it comes from. */
            source?: string | null;
            /** @description Its value; `"***"` for secrets. */
            value: unknown;
        };
        /** @description What was settled from a document. It travels with the document: through undo, branches, export and deletion. */
        Settled: {
            /** @description What it added to pieces that were there. */
            added?: components["schemas"]["Added"][];
            /**
             * @description A digest of the text that was settled. If it is not that of the text, the text was edited since.
             * @default
             */
            digest?: string;
            /** @description The pieces whose sentence was edited away since. They come back with it. */
            gone?: components["schemas"]["Gone"][];
            /** @description What it added in a sentence that was edited away since. It comes back with it. */
            lost?: components["schemas"]["Added"][];
            /** @description The pieces that came from it. */
            made?: components["schemas"]["Made"][];
            /** @description The facts that were there and that it tells too. */
            retold?: components["schemas"]["Retold"][];
            /**
             * Format: uint32
             * @description The version of the document that was settled.
             * @default 0
             */
            version?: number;
            /** @description The words by which it tells that years pass, such as `五年后`. */
            years?: string[];
        };
        /** @description What the rules read in the chapters of a manuscript. */
        SettledBook: {
            /**
             * Format: uint
             * @description How many cards and other pieces came from them.
             */
            cards: number;
            /**
             * Format: uint
             * @description How many chapters were read.
             */
            chapters: number;
            /**
             * Format: uint
             * @description How many facts they tell.
             */
            facts: number;
            /** @description What only the author can tell. */
            questions: components["schemas"]["Question3"][];
        };
        /** @description What settlement brought into the story. */
        SettledCounts: {
            /**
             * Format: uint
             * @description New cards.
             * @default 0
             */
            cards?: number;
            /**
             * Format: uint
             * @description Events.
             * @default 0
             */
            events?: number;
            /**
             * Format: uint
             * @description Facts.
             * @default 0
             */
            facts?: number;
            /**
             * Format: uint
             * @description Promises that were planted, kept alive or paid.
             * @default 0
             */
            promises?: number;
            /**
             * Format: uint
             * @description What the author is asked.
             * @default 0
             */
            questions?: number;
            /**
             * Format: uint
             * @description What was not believed.
             * @default 0
             */
            rejected?: number;
        };
        /** @description How bad an issue is. */
        Severity: "low" | "medium" | "high" | "critical";
        /** @description One way in which a text falls short, with the words that show it. */
        Shortfall: {
            /** @description What would mend it, likewise. */
            advice: string;
            /** @description How it falls short. */
            kind: components["schemas"]["ShortfallKind"];
            /** @description The words of the text that show it; empty where the text as a whole does. */
            quote: string;
            /** @description What is wrong, in a line, in the language of the book. */
            title: string;
        };
        /** @description How a text falls short of being a chapter. */
        ShortfallKind: "length" | "language" | "refusal" | "talk" | "marks" | "ending" | "likeness" | "repetition";
        /** @description What a quote shows. */
        Shown: "longest_sentence" | "longest_paragraph" | "most_positive" | "most_negative" | "emotional" | "quickest" | "slowest";
        /** @description Which side is right where both have changed the same. */
        Side: "project" | "branch";
        /** @description What one side says of a text. */
        Side2: {
            /**
             * Format: uint
             * @description Its rank there, from 1.
             */
            rank: number;
            /**
             * Format: double
             * @description Its score there: BM25, or the cosine.
             */
            score: number;
            /** @description The terms of the query that it has; of keywords only. */
            terms: components["schemas"]["MatchedTerm"][];
        };
        /** @description Who found an issue. */
        Source: "rule" | "model" | "human";
        /** @description What a chunk comes from. */
        Source2: {
            /** @description Its id, unique among its kind. */
            id: string;
            /** @description The kind of the piece. */
            kind: components["schemas"]["PieceKind"];
        };
        /** @description Where a memory comes from. */
        Source3: "user" | "learnt";
        /** @description How much stands in one other text. */
        SourceShare: {
            /**
             * Format: uint
             * @description The length of the longest, in tokens.
             */
            longest: number;
            /**
             * Format: uint
             * @description How many passages.
             */
            passages: number;
            /**
             * Format: double
             * @description The part of the text in question that stands there, from 0 to 1.
             */
            share: number;
            /** @description The id of the other text. */
            source: string;
        };
        /** @description A place that changes. */
        Span: {
            /** @description What is to stand there. */
            after: string;
            /** @description What stands there. */
            before: string;
            /**
             * Format: uint
             * @description The byte at which it ends.
             */
            end: number;
            /**
             * Format: uint
             * @description The byte of the present text at which it begins.
             */
            start: number;
            /** @description Why. */
            why?: string;
        };
        /**
         * @description Some characters, and what became of them. Those that stayed and went are the older text, those that stayed and came
         *     the newer one.
         */
        Span2: {
            /** @description What became of them. */
            op: components["schemas"]["Op"];
            /** @description The characters. */
            text: string;
        };
        /** @description Somebody who speaks. */
        Speaker: {
            /**
             * Format: uint
             * @description Chinese characters and Latin words.
             */
            length: number;
            /** @description The name: of the card, if the cast is known. */
            name: string;
            /**
             * Format: double
             * @description The part of all that is spoken, from 0 to 1.
             */
            share: number;
            /**
             * Format: uint
             * @description How many speeches.
             */
            speeches: number;
        };
        /** @description By what spending is told apart. */
        SpendingBy: "run" | "project" | "chapter" | "agent" | "purpose" | "model" | "day";
        /** @description What was spent. */
        SpendingReport: {
            /** @description By what it is told apart. */
            by: components["schemas"]["SpendingBy"];
            /** @description The project or run it is about; none for everything. */
            of?: string | null;
            /** @description A row for each, in their order: chapters by number, days and runs by time, others by name. */
            rows: components["schemas"]["SpendingRow"][];
            /** @description What has been spent today, by everything, against the budget of the day. */
            today: components["schemas"]["SpendingRow"];
            /** @description All of it. */
            total: components["schemas"]["SpendingRow"];
        };
        /** @description What was spent for one thing. */
        SpendingRow: {
            /**
             * Format: uint64
             * @description How often models were asked for them.
             */
            attempts: number;
            /**
             * Format: uint64
             * @description Of these, read from the providers' caches.
             */
            cached: number;
            /**
             * Format: uint64
             * @description Paid calls.
             */
            calls: number;
            /** @description The money, by currency. */
            costs: components["schemas"]["Cost"][];
            /** @description Whether some of it was estimated because a provider did not say. */
            estimated: boolean;
            /**
             * Format: uint64
             * @description Tokens of the requests, cached ones included.
             */
            input: number;
            /** @description What for: a run's id, a chapter's number, an agent, a model, a day; empty for what belongs to none. */
            key: string;
            /**
             * Format: uint64
             * @description Tokens of the answers.
             */
            output: number;
            /**
             * Format: uint64
             * @description Calls that were played from a recording and cost nothing.
             */
            replayed: number;
            /**
             * Format: uint64
             * @description Calls whose price is not known.
             */
            unpriced: number;
        };
        /** @description One thing that was said. */
        Spoken: {
            /**
             * @description The phase that was worked on.
             * @default
             */
            phase?: string;
            /**
             * @description The words.
             * @default
             */
            text?: string;
            /**
             * @description Who said it.
             * @default user
             */
            who?: components["schemas"]["Who"];
        };
        /** @description Whether a memory is told to anybody. */
        Standing: "proposed" | "on" | "off";
        /** @description What a run is to do. */
        Start: {
            /** @constant */
            kind: "create";
            /**
             * @description The language of the work; found from the requirement when absent.
             * @default null
             */
            language?: components["schemas"]["Language"] | null;
            /**
             * @description The model for every role of this run, such as `deepseek/deepseek-flash`, above all settings.
             * @default null
             */
            model?: string | null;
            /**
             * @description Settings for this run only, above all layers, in the shape of the settings file
             *     (see [`settings::assign`](crate::settings::assign)).
             * @default {}
             */
            overrides?: {
                [key: string]: unknown;
            };
            /**
             * @description An existing project to extend or change, by id or unique beginning of it; a new project when absent.
             * @default null
             */
            project?: string | null;
            /**
             * @description The user's words.
             * @default
             */
            requirement?: string;
            /**
             * @description The title of a new project; made from the requirement when absent.
             * @default null
             */
            title?: string | null;
        } | {
            /**
             * @description Only plan the chapters and gather what must be known for them.
             * @default false
             */
            brief_only?: boolean;
            /** @constant */
            kind: "write";
            /**
             * @description The model for every role of this run, above all settings.
             * @default null
             */
            model?: string | null;
            /**
             * @description Settings for this run only, as in [`CreateRequest`].
             * @default {}
             */
            overrides?: {
                [key: string]: unknown;
            };
            /**
             * @description The project, by id or unique beginning of it.
             * @default
             */
            project?: string;
            /**
             * @description A text whose manner is to be followed.
             * @default
             */
            style_sample?: string;
            /**
             * @description What is to be done.
             * @default {
             *       "chapters": [],
             *       "kind": "draft"
             *     }
             */
            task?: components["schemas"]["WritingTask"];
            /**
             * Format: uint32
             * @description Chinese characters or English words of a chapter; what the outline says when absent.
             * @default null
             */
            words?: number | null;
        } | {
            /** @constant */
            kind: "task";
            /**
             * @description The model for every role of this run, above all settings.
             * @default null
             */
            model?: string | null;
            /**
             * @description How it is to be done.
             * @default {
             *       "handed_on_tokens": 2000,
             *       "max_subtasks": 8,
             *       "parallel": 4,
             *       "split_by_model": true,
             *       "writes": "ask"
             *     }
             */
            options?: components["schemas"]["TaskOptions"];
            /**
             * @description Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
             * @default {}
             */
            overrides?: {
                [key: string]: unknown;
            };
            /**
             * @description The project, by id or unique beginning of it.
             * @default
             */
            project?: string;
            /**
             * @description What is to be done. Its project, id and language are set by the studio.
             * @default {
             *       "agent": null,
             *       "chapter": null,
             *       "context": {
             *         "change": false
             *       },
             *       "description": "",
             *       "language": "zh",
             *       "priority": 0,
             *       "project": null,
             *       "task_id": "",
             *       "text": null,
             *       "timeout": 300
             *     }
             */
            task?: components["schemas"]["Task"];
        } | {
            /**
             * @description Which phases wait for a person, by name, over what the template says; `all` names every one.
             * @default []
             */
            autonomy?: [
                string,
                components["schemas"]["Autonomy"]
            ][];
            /** @constant */
            kind: "produce";
            /**
             * @description The language of the work; found from the premise when absent.
             * @default null
             */
            language?: components["schemas"]["Language"] | null;
            /**
             * @description The model for every role of this run, above all settings.
             * @default null
             */
            model?: string | null;
            /**
             * @description Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
             * @default {}
             */
            overrides?: {
                [key: string]: unknown;
            };
            /**
             * @description The user's first words.
             * @default
             */
            premise?: string;
            /**
             * @description The template: which phases and fields; `course` when absent.
             * @default null
             */
            template?: string | null;
            /**
             * @description The title of the project; made from the premise when absent.
             * @default null
             */
            title?: string | null;
        } | {
            /** @constant */
            kind: "tell";
            /** @description The model for every role, above all settings. */
            model?: string | null;
            /** @description What is to be done; only what the project says by itself (the phase that is due) when absent. */
            order?: components["schemas"]["Order"] | null;
            /**
             * @description Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
             * @default {}
             */
            overrides?: {
                [key: string]: unknown;
            };
            /** @description The project, by id or unique beginning of it. */
            project: string;
        } | {
            /**
             * @description The answer, if the run asks.
             * @default null
             */
            answer?: components["schemas"]["HumanAnswer"] | null;
            /** @constant */
            kind: "resume";
            /**
             * @description Settings that go over all layers, such as a raised budget, in the shape of the settings file.
             * @default {}
             */
            overrides?: {
                [key: string]: unknown;
            };
            /**
             * @description The name of the question that is answered, its `question_id`: if the run asks something else by now, the answer is
             *     refused. Without it whatever the run asks is answered.
             */
            question?: string | null;
            /** @description The run, or a project, of which the newest run is meant; ids may be cut short. */
            run: string;
        };
        /** @description A run that works now. */
        Started: {
            /** @description Its project. */
            project: string;
            /** @description The run. */
            run: string;
        };
        /** @description Counts over the documents of a story. */
        Statistics: {
            /** @description One row for each document in reading order; notes are left out. */
            chapters: components["schemas"]["ChapterRow"][];
            /** @description The cast, by how often they are named. */
            characters: components["schemas"]["Appearances"][];
            /** @description The language of the story. */
            language: components["schemas"]["Language"];
            /** @description How far the plan is carried out. */
            progress: components["schemas"]["Progress2"];
            /** @description All chapters together. */
            totals: components["schemas"]["Totals"];
        };
        /** @description How far a part is. */
        Status: "open" | "done" | "failed" | "skipped";
        /** @description How a field stands. */
        Status2: "empty" | "draft" | "confirmed" | "stale";
        /** @description Why a piece stays. */
        Stays: {
            /** @constant */
            why: "changed";
        } | {
            /** @description What a person would call it. */
            by: string;
            /** @constant */
            why: "referred";
        } | {
            /** @description The id of the document. */
            by: string;
            /** @constant */
            why: "retold";
        };
        /** @description One step of a plan. */
        Step: {
            /**
             * @description Who does it: `worldview_agent`, `character_agent`, `outline_agent`, `plot_agent`, `style_agent`, `review_agent`.
             * @default
             */
            agent?: string;
            /**
             * @description Steps whose work it needs.
             * @default []
             */
            dependencies?: number[];
            /**
             * Format: uint64
             * @description What it will cost.
             * @default 0
             */
            estimated_tokens?: number;
            /**
             * @description Tools it needs.
             * @default []
             */
            required_tools?: string[];
            /**
             * Format: uint32
             * @description Its number, unique in the plan.
             * @default 0
             */
            step_id?: number;
            /**
             * @description What is to be done.
             * @default
             */
            task_description?: string;
        };
        /** @description How a step of a plan ended. */
        StepState: "open" | "done" | "failed";
        /** @description How a run stands. */
        Stopped: {
            /** @description The run's state when it was told to stop. */
            status: components["schemas"]["RunStatus"];
        };
        /** @description A book as data: its world, cast, outline, events, facts and prose; or another content, as phases and fields. */
        Story: {
            /**
             * @description What is between them.
             * @default []
             */
            character_relations?: components["schemas"]["CharacterRelation"][];
            /**
             * @description The cast.
             * @default []
             */
            characters?: components["schemas"]["Character"][];
            /** @description The prose that is written so far. */
            documents?: components["schemas"]["Document"][];
            /** @description What is known to be so, statement by statement. */
            facts?: components["schemas"]["Fact"][];
            /** @description The fields of the production, in order. */
            fields?: components["schemas"]["Field"][];
            /**
             * @description The language it is told in.
             * @default zh
             */
            language?: components["schemas"]["Language"];
            /** @description The highest number given in ids, by prefix, so that no id is given twice. Kept by [`ids`](crate::ids). */
            last_ids?: {
                [key: string]: number;
            };
            /**
             * @description The outline in reading order.
             * @default []
             */
            outline_nodes?: components["schemas"]["OutlineNode"][];
            /**
             * @description The plot.
             * @default []
             */
            plot_nodes?: components["schemas"]["PlotNode"][];
            /**
             * @description The author's own words for it.
             * @default
             */
            premise?: string;
            /** @description How its content is produced, if it is by phases and fields. */
            production?: components["schemas"]["Production"] | null;
            /** @description What the reader is led to expect. */
            promises?: components["schemas"]["Promise"][];
            /**
             * @description The style guide, once there is one.
             * @default null
             */
            style?: components["schemas"]["StyleGuide"] | null;
            /**
             * @description Events in story time.
             * @default []
             */
            timeline_events?: components["schemas"]["TimelineEvent"][];
            /** @description The findings that the author lets stand. */
            waivers?: components["schemas"]["Waiver"][];
            /**
             * @description The world, once there is one.
             * @default null
             */
            worldview?: components["schemas"]["Worldview"] | null;
        };
        /** @description A story file as it was read. */
        StoryFile: {
            /** @description The story. */
            story: components["schemas"]["Story"];
            /**
             * @description Fields of the file that stories do not have; they are left out. Such as `characters[0].ege`.
             * @default []
             */
            unknown?: string[];
        };
        /** @description The material of a story, and how it came about. */
        StoryMade: {
            /** @description The report of the last review. */
            diagnostic_report?: components["schemas"]["DiagnosticReport"] | null;
            /** @description The plan that was carried out. */
            execution_plan?: components["schemas"]["ExecutionPlan"] | null;
            /** @description Whether a person accepted material that did not pass the review. */
            is_approved: boolean;
            /**
             * Format: uint32
             * @description Correction rounds.
             */
            iteration_count: number;
            /** @description What the planner made of the requirement. */
            requirement_analysis?: components["schemas"]["RequirementAnalysis"] | null;
            /** @description The story as it stands. */
            story: components["schemas"]["Story"];
            /** @description What the agents could use. */
            tool_configuration?: components["schemas"]["ToolConfiguration"] | null;
        };
        /** @description What to do with the material as a whole. */
        Strategy: "none" | "incremental_fix" | "regenerate" | "human_review";
        /**
         * @description One thing that happened in a run.
         *
         *     Events are numbered from 1 without gaps over the life of the run, resumes included, and kept in its event log,
         *     except streamed text, which is told once, carries the number of the last kept event and is not kept.
         */
        StudioEvent: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Its project. */
            project: string;
            /** @description The run. */
            run: string;
            /**
             * Format: uint64
             * @description The place in the run's event log.
             */
            seq: number;
        } | {
            /** @description Where everything is kept; empty for those who do not work at that machine. */
            data_folder: string;
            /** @constant */
            kind: "run_started";
            /** @description The model of most roles, and why this one. */
            model: components["schemas"]["ModelChoice"];
            /** @description The user's words. */
            requirement: string;
            /** @description Whether it goes on from where it stood. */
            resumed: boolean;
            /** @description The roles that have another model, as `role` → model. */
            roles: {
                [key: string]: string;
            };
        } | {
            /** @description Who made them. */
            agent: string;
            /** @constant */
            kind: "saved";
            /**
             * Format: uint
             * @description How many pieces changed.
             */
            pieces: number;
            /**
             * Format: uint64
             * @description The version of the project from now on.
             */
            version: number;
        } | {
            /** @constant */
            kind: "completed";
            /** @description What came of it. */
            summary: components["schemas"]["RunSummary"];
        } | {
            /** @constant */
            kind: "waiting";
            /** @description What is asked. */
            question: components["schemas"]["Question"];
            /** @description The question's name, for whoever answers it; runs of earlier builds did not tell it. */
            question_id?: string | null;
        } | {
            /** @description Why. */
            failure: components["schemas"]["Failure2"];
            /** @constant */
            kind: "failed";
        } | {
            /** @constant */
            kind: "interrupted";
        } | components["schemas"]["Progress"];
        /** @description The style guide that every writer of the story follows. */
        StyleGuide: {
            /**
             * @description Rules for dialogue.
             * @default
             */
            dialogue?: string;
            /**
             * @description What to do.
             * @default []
             */
            guidelines?: string[];
            /**
             * @description Who tells it: `first`, `third_limited`, `third_omniscient`, or in words.
             * @default
             */
            point_of_view?: string;
            /**
             * @description How sentences and paragraphs move.
             * @default
             */
            rhythm?: string;
            /**
             * @description What never to do.
             * @default []
             */
            taboos?: string[];
            /**
             * @description The tense, where the language has one.
             * @default
             */
            tense?: string;
            /**
             * @description The tone in a few words.
             * @default
             */
            tone?: string;
        };
        /** @description A fallback model answered in the place of another. */
        Substitution: {
            /** @description How it failed. */
            error: string;
            /** @description The model that was asked for. */
            wanted: string;
        };
        /** @description One part of a task. */
        Subtask: {
            /**
             * @description The agent that is to do it.
             * @default
             */
            agent?: string;
            /**
             * @description Whether it is to change the text of the project.
             * @default false
             */
            change?: boolean;
            /**
             * @description The chapter it is about: a number or a title.
             * @default null
             */
            chapter?: string | null;
            /**
             * @description Characters that take part.
             * @default []
             */
            characters?: string[];
            /**
             * @description Names of the parts that must be done before.
             * @default []
             */
            depends_on?: string[];
            /**
             * @description What is to be done, in the user's words as far as they go.
             * @default
             */
            description?: string;
            /**
             * @description Which of the things the agent can do, such as `dialogue`.
             * @default null
             */
            kind?: string | null;
            /**
             * @description Its name, such as `t1`.
             * @default
             */
            name?: string;
            /**
             * Format: int32
             * @description Which of several goes first; the higher, the sooner.
             * @default 0
             */
            priority?: number;
            /**
             * Format: uint64
             * @description After how many seconds it is given up; the task's own time if left out.
             * @default null
             */
            timeout?: number | null;
        };
        /** @description Why an encoding was taken. */
        TakenBy: "told" | "mark" | "valid" | "look";
        /** @description Something to be done. */
        Task: {
            /**
             * @description Who is to do it; found by what is to be done if nobody is named.
             * @default null
             */
            agent?: string | null;
            /**
             * @description The chapter, if it is about one: a number, or the title or id of a document or outline node.
             * @default null
             */
            chapter?: string | null;
            /**
             * @description What belongs to it.
             * @default {
             *       "change": false
             *     }
             */
            context?: components["schemas"]["Given"];
            /**
             * @description What is to be done, in the user's words.
             * @default
             */
            description?: string;
            /**
             * @description In which language it is spoken of.
             * @default zh
             */
            language?: components["schemas"]["Language"];
            /**
             * Format: int32
             * @description Which of several goes first; the higher, the sooner.
             * @default 0
             */
            priority?: number;
            /**
             * @description The project, if it is about one.
             * @default null
             */
            project?: string | null;
            /**
             * @description Its name; unique in a run.
             * @default
             */
            task_id?: string;
            /**
             * @description The text, if it is about one that stands in no project.
             * @default null
             */
            text?: string | null;
            /**
             * Format: uint64
             * @description After how many seconds it is given up.
             * @default 300
             */
            timeout?: number;
        };
        /** @description What came of a task. */
        TaskMade: {
            /**
             * Format: double
             * @description The share of what could be verified that was verified.
             */
            confidence: number;
            /** @description The answer. */
            output: string;
            /** @description How each part ended, by its name. */
            results: {
                [key: string]: components["schemas"]["Ended"];
            };
            /** @description Its parts. */
            subtasks: components["schemas"]["Subtask"][];
            /** @description What became of each change that was proposed, by the part that proposed it. */
            written: {
                [key: string]: components["schemas"]["Written"];
            };
        };
        /** @description How a task is to be done. */
        TaskOptions: {
            /**
             * Format: uint64
             * @description How many tokens of what earlier parts came to a part is given.
             * @default 2000
             */
            handed_on_tokens?: number;
            /**
             * Format: uint
             * @description How many parts a task may have.
             * @default 8
             */
            max_subtasks?: number;
            /**
             * Format: uint
             * @description How many parts are done side by side.
             * @default 4
             */
            parallel?: number;
            /**
             * @description Whether a model takes the task apart; otherwise the rules do.
             * @default true
             */
            split_by_model?: boolean;
            /**
             * @description Whether the project may be changed.
             * @default ask
             */
            writes?: components["schemas"]["Writes"];
        };
        /** @description A template in a list. */
        TemplateRow: {
            /** @description What it is for. */
            description: string;
            /** @description Its fields, in order. */
            fields: string[];
            /** @description Its name. */
            name: string;
            /** @description Its phases, in order. */
            phases: string[];
            /** @description Its name for people. */
            title: string;
        };
        /** @description A text in both languages. */
        Text: {
            /** @description English */
            en: string;
            /** @description 中文 */
            zh: string;
        };
        /** @description What is different in a text. */
        TextDifference: {
            /**
             * Format: uint
             * @description How many characters came.
             */
            added: number;
            /** @description The id of the document. */
            document: string;
            /**
             * Format: uint64
             * @description The older side: a version of the document, or of the project where no document was named; none if it was not there.
             */
            from?: number | null;
            /** @description The places that are different, in order. */
            hunks: components["schemas"]["Hunk"][];
            /**
             * Format: uint
             * @description How many went.
             */
            removed: number;
            /** @description Its title. */
            title: string;
            /**
             * Format: uint64
             * @description The newer side.
             */
            to?: number | null;
        };
        /** @description Something between two pieces, and the sentence that says so. */
        Tied: {
            /** @description Whose it is. */
            from: string;
            /** @description The word, such as `enemy_of`. */
            relation: string;
            /** @description The sentence, and where it stands. */
            says: components["schemas"]["Evidence"];
            /** @description From when, as it is written; empty if it is not. */
            since: string;
            /** @description The kind of the piece that says so, and its id, or its name if it has no id. */
            source: [
                components["schemas"]["PieceKind"],
                string
            ];
            /** @description To whom. */
            to: string;
            /** @description Until when, as it is written; empty if it is not. */
            until: string;
        };
        /** @description An event in story time. */
        TimelineEvent: {
            /**
             * @description Titles or ids of events that come before this one.
             * @default []
             */
            after?: string[];
            /**
             * @description Names of the characters who die in it.
             * @default []
             */
            deaths?: string[];
            /**
             * @description What happens.
             * @default
             */
            description?: string;
            /**
             * @description How long, such as `2小时` or `3 days`; empty if unknown.
             * @default
             */
            duration?: string;
            /**
             * @description Given by the studio, such as `e-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * Format: uint8
             * @description From 1 (colour) to 10 (the story turns on it).
             * @default 0
             */
            importance?: number;
            /**
             * @description The name of the place, if there is one.
             * @default null
             */
            location?: string | null;
            /**
             * @description How it is told.
             * @default narrated
             */
            mode?: components["schemas"]["Mode"];
            /**
             * @description The name or id of the outline node that tells it.
             * @default null
             */
            outline_node?: string | null;
            /**
             * @description Names of the characters who take part.
             * @default []
             */
            participants?: string[];
            /**
             * @description When, in the story's words: `2077-03-05 22:00`, `2077年3月5日夜`, `第3天`, `Day 3`; empty if unknown.
             * @default
             */
            timestamp?: string;
            /**
             * @description A short title; unique in a story.
             * @default
             */
            title?: string;
        };
        /** @description A statement of an extraction. */
        Told: {
            /**
             * Format: float
             * @description From 0 to 1.
             */
            confidence: number;
            /** @description What kind of piece it would be. */
            kind: components["schemas"]["PieceKind"];
            /** @description What it says, in a line. */
            label: string;
            /** @description The words that it rests on. */
            quote: string;
        };
        /** @description What the agents may use. */
        ToolConfiguration: {
            /**
             * @description How much of the material an agent is shown.
             * @default auto
             */
            context_mode?: components["schemas"]["ContextMode"];
            /**
             * @description Look up who is connected with whom.
             * @default false
             */
            enable_knowledge_graph?: boolean;
            /**
             * @description Look up passages of the material by their words.
             * @default true
             */
            enable_rag?: boolean;
        };
        /** @description A text that is longer than its channel takes. It is handed out whole. */
        TooLong: {
            /** @description The channel. */
            channel: string;
            /**
             * Format: uint
             * @description How many characters the text has.
             */
            length: number;
            /**
             * Format: uint
             * @description How many it may have.
             */
            limit: number;
        };
        /** @description A call of a tool. */
        ToolUse: {
            /**
             * Format: uint64
             * @description How long it took.
             * @default 0
             */
            duration_ms?: number;
            /** @description Why there is none. */
            error?: string | null;
            /**
             * @description Its arguments.
             * @default null
             */
            parameters?: unknown;
            /**
             * @description Its answer; null if it failed.
             * @default null
             */
            result?: unknown;
            /**
             * @description Whether there is an answer.
             * @default false
             */
            success?: boolean;
            /**
             * @description The tool.
             * @default
             */
            tool_name?: string;
        };
        /** @description All chapters together. */
        Totals: {
            /**
             * Format: double
             * @description The mean length of a chapter.
             */
            chapter: number;
            /**
             * Format: uint
             * @description How many chapters there are.
             */
            chapters: number;
            /**
             * Format: double
             * @description What is spoken, from 0 to 1.
             */
            dialogue: number;
            /**
             * Format: uint
             * @description Chinese characters and Latin words.
             */
            length: number;
            /**
             * Format: uint
             * @description How many paragraphs.
             */
            paragraphs: number;
            /**
             * Format: double
             * @description The mean length of a sentence.
             */
            sentence: number;
            /**
             * Format: uint
             * @description How many sentences.
             */
            sentences: number;
        };
        /** @description Something that a change touches. */
        Touched: {
            /**
             * Format: uint
             * @description How many steps it is away.
             */
            distance: number;
            /** @description The kind of the piece. */
            kind: components["schemas"]["PieceKind"];
            /** @description What a person would call it. */
            label: string;
            /** @description How the change gets there, from the piece that changes. */
            path: components["schemas"]["Link"][];
            /** @description Its id, or its name if it has none. */
            piece: string;
            /** @description The sentences of the piece, if it is a document, that speak of the step before. */
            sentences: components["schemas"]["Evidence"][];
        };
        /** @description One answer of a trial. */
        TrialAnswer: {
            /** @description Why there was none. */
            failure?: components["schemas"]["Failure2"] | null;
            /**
             * Format: uint64
             * @description How long it took, in milliseconds.
             */
            millis: number;
            /** @description Its beginning; empty if there was none. */
            said: string;
            /** @description The tokens of request and answer. */
            usage: components["schemas"]["Usage"];
        };
        /** @description What the run says when it waits. */
        Turn: {
            /**
             * @description What is wanted of the user.
             * @default anything
             */
            asks?: components["schemas"]["Asks"];
            /**
             * @description The fields that it is about.
             * @default []
             */
            fields?: string[];
            /** @description Whether it says why what was ordered cannot be done. */
            is_refusal?: boolean;
            /**
             * @description What the user may have meant, if they are to choose.
             * @default []
             */
            options?: components["schemas"]["Intent"][];
            /**
             * @description The phase that is worked on; empty if all are done.
             * @default
             */
            phase?: string;
            /**
             * @description The words.
             * @default
             */
            text?: string;
        };
        /** @description What is counted for variety. */
        Unit: "words" | "pairs";
        /** @description Tokens of one call. */
        Usage: {
            /**
             * Format: uint64
             * @description Of these, read from the provider's cache.
             */
            cached: number;
            /** @description True when a tokenizer or estimator counted, because the provider did not say. */
            estimated: boolean;
            /**
             * Format: uint64
             * @description Tokens of the request, cached ones included.
             */
            input: number;
            /**
             * Format: uint64
             * @description Tokens of the answer, thinking included.
             */
            output: number;
        };
        /** @description What was counted, over all calls of a run or project. */
        UsageView: {
            /** @description The tokens (`input` and `output`) of each agent. */
            by_agent: {
                [key: string]: number;
            };
            /**
             * Format: uint64
             * @description Of these, read from the providers' caches.
             */
            cached: number;
            /**
             * Format: uint64
             * @description Paid calls.
             */
            calls: number;
            /** @description The price; none when the price of any call is unknown. */
            cost?: components["schemas"]["Cost"] | null;
            /** @description Whether some of it was estimated because a provider did not say. */
            estimated: boolean;
            /**
             * Format: uint64
             * @description Tokens of the requests, cached ones included.
             */
            input: number;
            /**
             * Format: uint64
             * @description Tokens of the answers.
             */
            output: number;
            /**
             * Format: uint64
             * @description `input` and `output` together.
             */
            total: number;
        };
        /** @description A user to be added. */
        UserRequest: {
            /**
             * @description For people; the id if there is none.
             * @default null
             */
            name?: string | null;
            /**
             * @description What they are among the users.
             * @default member
             */
            role?: components["schemas"]["UserRole"];
            /** @description The id: small Latin letters, digits, `.`, `_` and `-`, at most 64. */
            user: string;
        };
        /** @description What a user is among the users. */
        UserRole: "admin" | "member";
        /** @description A user in a list. */
        UserRow: {
            /**
             * Format: date-time
             * @description Since when.
             */
            created: string;
            /**
             * Format: date-time
             * @description Since when nobody may ask as this user.
             */
            disabled?: string | null;
            /** @description For people. */
            name: string;
            /** @description What they are among the users. */
            role: components["schemas"]["UserRole"];
            /** @description The id. */
            user: string;
        };
        /** @description A value of a field. */
        Value: number | string;
        /** @description How varied the words of a text are. */
        Variety: {
            /**
             * Format: uint
             * @description How many there are.
             */
            count: number;
            /**
             * Format: uint
             * @description How many different ones.
             */
            different: number;
            /**
             * Format: double
             * @description The mean of the ratio in a window that moves over the text (Covington and McFall 2010): texts of any length compare.
             */
            moving: number;
            /**
             * Format: double
             * @description After how many units the ratio falls to 0.72, forwards and backwards (MTLD, McCarthy and Jarvis 2010).
             *
             *     The threshold is the authors' for English words; for pairs of characters it compares texts of one language only.
             */
            mtld: number;
            /**
             * Format: double
             * @description Different ones by all: falls with the length of the text.
             */
            ratio: number;
            /** @description What is counted. */
            unit: components["schemas"]["Unit"];
            /**
             * Format: uint
             * @description How many units the window holds; fewer in a short text.
             */
            window: number;
        };
        /** @description What a review came to: what follows from the rules and the reviewer together. */
        Verdict: {
            /**
             * @description What is wrong, worst first.
             * @default []
             */
            findings?: components["schemas"]["ChapterFinding"][];
            /**
             * @description Whether the chapter may be taken.
             * @default false
             */
            passed?: boolean;
            /**
             * @description Whether the reviewer's answer could be read; one that could not never passes. Nobody reviews what is below the
             *     floor.
             * @default false
             */
            read?: boolean;
            /**
             * Format: uint32
             * @description Which review of this chapter it is, from 0.
             * @default 0
             */
            round?: number;
            /**
             * Format: uint8
             * @description From 0 to 100.
             * @default 0
             */
            score?: number;
            /**
             * @description How the chapter falls short of being one; it does not pass with any.
             * @default []
             */
            shortfalls?: components["schemas"]["Shortfall"][];
            /**
             * @description What would make it better beyond that.
             * @default []
             */
            suggestions?: string[];
            /**
             * @description In a sentence.
             * @default
             */
            summary?: string;
            /**
             * @description The reviewer's verdicts.
             * @default []
             */
            verdicts?: components["schemas"]["DimensionVerdict"][];
        };
        /** @description What comes of a review. */
        Verdict2: "clean" | "passed" | "failed";
        /** @description A version of a document in a list. */
        VersionRow: {
            /** @description Who made it. */
            agent: string;
            /**
             * Format: date-time
             * @description When.
             */
            at?: string | null;
            /**
             * Format: uint64
             * @description The change of the project that made it.
             */
            change?: number | null;
            /**
             * Format: uint
             * @description How many characters it has.
             */
            characters: number;
            /**
             * Format: uint32
             * @description Its number.
             */
            version: number;
        };
        /**
         * @description A finding, or all findings of a rule, that somebody has looked at and lets stand.
         *
         *     It holds only with a reason and an owner. What it covers is still reported, as waived, and costs nothing.
         */
        Waiver: {
            /** @description When, such as `2026-11-22`; may be left empty. */
            date?: string;
            /**
             * @description The id of the finding, such as `QS011-5f2a91`, or the code of a rule, such as `QS011`.
             * @default
             */
            finding?: string;
            /**
             * @description Who says so.
             * @default
             */
            owner?: string;
            /** @description Only where this piece is touched: its name, title or id. */
            piece?: string | null;
            /**
             * @description Why it may stand.
             * @default
             */
            reason?: string;
        };
        /** @description Something that looks wrong. */
        Warning: {
            /** @description The chapter after them. */
            before: string;
            /**
             * Format: uint32
             * @description The first number that is missing.
             */
            from: number;
            /** @description Where that begins. */
            origin: components["schemas"]["Origin"];
            /**
             * Format: uint32
             * @description The last one.
             */
            until: number;
            /** @constant */
            warning: "missing";
        } | {
            /**
             * Format: uint32
             * @description The number.
             */
            number: number;
            /** @description Where that begins. */
            origin: components["schemas"]["Origin"];
            /** @description The chapter that has it again. */
            title: string;
            /** @constant */
            warning: "twice";
        } | {
            /**
             * Format: uint32
             * @description The one before.
             */
            after: number;
            /**
             * Format: uint32
             * @description The number.
             */
            number: number;
            /** @description Where it begins. */
            origin: components["schemas"]["Origin"];
            /** @description The chapter. */
            title: string;
            /** @constant */
            warning: "backwards";
        } | {
            /** @description Where it begins. */
            origin: components["schemas"]["Origin"];
            /** @description The chapter. */
            title: string;
            /** @constant */
            warning: "no_text";
        };
        /** @description Why the graph answers with a piece. */
        Way: {
            /** @description How much it has of the quality that is asked for, if one is. */
            quality?: components["schemas"]["Judged"] | null;
            /**
             * Format: uint
             * @description Its rank among the answers, from 1.
             */
            rank: number;
            /** @description What ties it to what the question names. */
            ties: components["schemas"]["Tied"][];
        };
        /** @description What the user did. */
        What: "said" | "approved" | "rejected" | "edited" | "waived" | "undid";
        /** @description Who speaks. */
        Who: "user" | "agent";
        /** @description One thing that a person asked for, and whether the story has it. */
        Wish: {
            /**
             * @description Where the story shows it, or what stands there instead.
             * @default []
             */
            evidence?: components["schemas"]["Evidence"][];
            /**
             * @description What is asked for.
             * @default other
             */
            kind?: components["schemas"]["WishKind"];
            /** @description Why it is not met or cannot be checked, in the language of the work. */
            reason?: string;
            /**
             * @description Whether the story has it.
             * @default not_checkable
             */
            state?: components["schemas"]["WishState"];
            /**
             * @description The person's words.
             * @default
             */
            text?: string;
        };
        /** @description What a wish asks for. */
        WishKind: "change" | "add" | "remove" | "mention" | "other";
        /** @description Whether a wish is met. */
        WishState: "met" | "unmet" | "not_checkable";
        /** @description In which way a specialist works. */
        WorkMode: "generate" | "correct" | "regenerate";
        /** @description What is done by an operation. */
        WorkspaceMethod: "POST" | "PUT" | "DELETE";
        /**
         * @description One request that changes something. Carried out one after the other, they put every piece as it is given: nothing else
         *     follows from them.
         */
        WorkspaceOperation: {
            /**
             * @description The whole piece; null for what is deleted.
             * @default null
             */
            body?: unknown;
            /** @description What is done. */
            method: components["schemas"]["WorkspaceMethod"];
            /** @description To what, below the project. */
            path: string;
            /**
             * Format: uint
             * @description Where in its list the piece stands afterwards, from 0; where it stood, or at the end, without it.
             */
            position?: number | null;
        };
        /** @description The world's own fields, without the rules, places, organisations and things in it. */
        WorldFrame: {
            /**
             * @description When it plays.
             * @default
             */
            era?: string;
            /**
             * @description The genre, in a word or two.
             * @default
             */
            genre?: string;
            /**
             * @description The world in a paragraph.
             * @default
             */
            summary?: string;
        };
        /** @description A rule of the world. */
        WorldRule: {
            /**
             * @description Given by the studio, such as `w-3`; models may leave it empty.
             * @default
             */
            id?: string;
            /**
             * @description What it costs or forbids; empty if nothing.
             * @default
             */
            limit?: string;
            /**
             * @description A short name.
             * @default
             */
            name?: string;
            /**
             * @description The rule in a sentence.
             * @default
             */
            statement?: string;
        };
        /** @description The world: its time, rules, places, organisations and things. */
        Worldview: {
            /**
             * @description When it plays, in the story's calendar, such as `2077`; empty if it does not matter.
             * @default
             */
            era?: string;
            /**
             * @description The genre, in a word or two.
             * @default
             */
            genre?: string;
            /**
             * @description Things that matter.
             * @default []
             */
            items?: components["schemas"]["Item"][];
            /**
             * @description Places.
             * @default []
             */
            locations?: components["schemas"]["Location"][];
            /**
             * @description Organisations and powers.
             * @default []
             */
            organisations?: components["schemas"]["Organisation"][];
            /**
             * @description Rules that hold for all.
             * @default []
             */
            rules?: components["schemas"]["WorldRule"][];
            /**
             * @description The world in a paragraph.
             * @default
             */
            summary?: string;
        };
        /** @description What is to be written. */
        Write: {
            /** @description Whose proposal it is. */
            agent: string;
            /** @description The change. */
            proposal: components["schemas"]["Proposal"];
            /** @description The part that proposes it. */
            task: string;
        };
        /** @description The question whether texts may be changed. */
        WriteRequest: {
            /** @description What would be changed. */
            writes: components["schemas"]["Write"][];
        };
        /** @description Whether the project may be changed. */
        Writes: "never" | "ask" | "allowed";
        /**
         * @description What is to be done. Chapters are named by their number: their place among the chapters of the outline in reading
         *     order, counted from 1.
         */
        WritingTask: {
            /**
             * @description Which; empty for all that have no text yet.
             * @default []
             */
            chapters?: number[];
            /** @constant */
            kind: "draft";
        } | {
            /**
             * @description Which; empty for all that have a text.
             * @default []
             */
            chapters?: number[];
            /** @constant */
            kind: "correct";
        } | {
            /**
             * Format: uint32
             * @description Which.
             */
            chapter: number;
            /** @description What is to become of it. */
            instruction: string;
            /** @constant */
            kind: "rewrite";
            /**
             * @description Which part of it.
             * @default {
             *       "by": "whole"
             *     }
             */
            part?: components["schemas"]["Part"];
        } | {
            /**
             * @description Which; empty for all whose current text no model has read.
             * @default []
             */
            chapters?: number[];
            /** @constant */
            kind: "read";
        };
        /** @description What became of a proposed change. */
        Written: {
            /** @description The document. */
            document: string;
            /** @constant */
            status: "saved";
            /**
             * Format: uint64
             * @description The version of the project from then on.
             */
            version: number;
        } | {
            /** @constant */
            status: "shown";
        } | {
            /** @description Why not. */
            feedback: string;
            /** @constant */
            status: "rejected";
        } | {
            /** @description Why. */
            message: string;
            /** @constant */
            status: "failed";
        };
    };
    responses: {
        /** @description What went wrong. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDocument"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcceptedChapter = components['schemas']['AcceptedChapter'];
export type Action = components['schemas']['Action'];
export type Action2 = components['schemas']['Action2'];
export type Added = components['schemas']['Added'];
export type Agent = components['schemas']['Agent'];
export type AgentResult = components['schemas']['AgentResult'];
export type Analysed = components['schemas']['Analysed'];
export type Answer = components['schemas']['Answer'];
export type Answered = components['schemas']['Answered'];
export type Appearances = components['schemas']['Appearances'];
export type Apply = components['schemas']['Apply'];
export type AskRequest = components['schemas']['AskRequest'];
export type Asks = components['schemas']['Asks'];
export type AuthorQuestion = components['schemas']['AuthorQuestion'];
export type AuthorQuestions = components['schemas']['AuthorQuestions'];
export type Autonomy = components['schemas']['Autonomy'];
export type Basis = components['schemas']['Basis'];
export type Because = components['schemas']['Because'];
export type Bin = components['schemas']['Bin'];
export type BlindRules = components['schemas']['BlindRules'];
export type BookFile = components['schemas']['BookFile'];
export type BookForm = components['schemas']['BookForm'];
export type BookMade = components['schemas']['BookMade'];
export type BranchComparison = components['schemas']['BranchComparison'];
export type BranchPiece = components['schemas']['BranchPiece'];
export type BranchRow = components['schemas']['BranchRow'];
export type Brief = components['schemas']['Brief'];
export type Brought = components['schemas']['Brought'];
export type BroughtChapter = components['schemas']['BroughtChapter'];
export type Candidate = components['schemas']['Candidate'];
export type Category = components['schemas']['Category'];
export type Category2 = components['schemas']['Category2'];
export type Changed = components['schemas']['Changed'];
export type ChangeProvenance = components['schemas']['ChangeProvenance'];
export type ChangeRow = components['schemas']['ChangeRow'];
export type Channel = components['schemas']['Channel'];
export type ChapterCoverage = components['schemas']['ChapterCoverage'];
export type ChapterFinding = components['schemas']['ChapterFinding'];
export type ChapterPlan = components['schemas']['ChapterPlan'];
export type ChapterRow = components['schemas']['ChapterRow'];
export type ChapterState = components['schemas']['ChapterState'];
export type ChapterStep = components['schemas']['ChapterStep'];
export type ChapterText = components['schemas']['ChapterText'];
export type Character = components['schemas']['Character'];
export type CharacterRelation = components['schemas']['CharacterRelation'];
export type Check = components['schemas']['Check'];
export type Checkup = components['schemas']['Checkup'];
export type Choice = components['schemas']['Choice'];
export type Chunk = components['schemas']['Chunk'];
export type Citation = components['schemas']['Citation'];
export type Complexity = components['schemas']['Complexity'];
export type ContentFile = components['schemas']['ContentFile'];
export type ContentFiles = components['schemas']['ContentFiles'];
export type ContentForm = components['schemas']['ContentForm'];
export type ContentMade = components['schemas']['ContentMade'];
export type ContextMode = components['schemas']['ContextMode'];
export type CorrectionInstruction = components['schemas']['CorrectionInstruction'];
export type Cost = components['schemas']['Cost'];
export type CostRange = components['schemas']['CostRange'];
export type Coverage = components['schemas']['Coverage'];
export type Criterion = components['schemas']['Criterion'];
export type Decision = components['schemas']['Decision'];
export type DiagnosticReport = components['schemas']['DiagnosticReport'];
export type Dialogue = components['schemas']['Dialogue'];
export type Differences = components['schemas']['Differences'];
export type Dimension = components['schemas']['Dimension'];
export type DimensionVerdict = components['schemas']['DimensionVerdict'];
export type Disguise = components['schemas']['Disguise'];
export type Document = components['schemas']['Document'];
export type DocumentVersion = components['schemas']['DocumentVersion'];
export type Doubt = components['schemas']['Doubt'];
export type Doubt2 = components['schemas']['Doubt2'];
export type Ease = components['schemas']['Ease'];
export type EditedChapter = components['schemas']['EditedChapter'];
export type Embedded = components['schemas']['Embedded'];
export type Emotion = components['schemas']['Emotion'];
export type EmotionPoint = components['schemas']['EmotionPoint'];
export type Encoding = components['schemas']['Encoding'];
export type Ended = components['schemas']['Ended'];
export type Estimate = components['schemas']['Estimate'];
export type Evidence = components['schemas']['Evidence'];
export type Evidence2 = components['schemas']['Evidence2'];
export type ExecutionPlan = components['schemas']['ExecutionPlan'];
export type Exported = components['schemas']['Exported'];
export type Extra = components['schemas']['Extra'];
export type Fact = components['schemas']['Fact'];
export type Failure = components['schemas']['Failure'];
export type Failure2 = components['schemas']['Failure2'];
export type Fate = components['schemas']['Fate'];
export type Feeling = components['schemas']['Feeling'];
export type FeltWord = components['schemas']['FeltWord'];
export type Field = components['schemas']['Field'];
export type FieldStep = components['schemas']['FieldStep'];
export type FieldView = components['schemas']['FieldView'];
export type Figures = components['schemas']['Figures'];
export type Finding = components['schemas']['Finding'];
export type Finding2 = components['schemas']['Finding2'];
export type Forecast = components['schemas']['Forecast'];
export type ForecastLine = components['schemas']['ForecastLine'];
export type ForecastRequest = components['schemas']['ForecastRequest'];
export type Format = components['schemas']['Format'];
export type Formula = components['schemas']['Formula'];
export type Given = components['schemas']['Given'];
export type Golden = components['schemas']['Golden'];
export type GoldenContext = components['schemas']['GoldenContext'];
export type Gone = components['schemas']['Gone'];
export type GraphView = components['schemas']['GraphView'];
export type Hit = components['schemas']['Hit'];
export type Hit2 = components['schemas']['Hit2'];
export type Holds = components['schemas']['Holds'];
export type HumanAnswer = components['schemas']['HumanAnswer'];
export type HumanReview = components['schemas']['HumanReview'];
export type Hunk = components['schemas']['Hunk'];
export type Imported = components['schemas']['Imported'];
export type ImportRequest = components['schemas']['ImportRequest'];
export type Intent = components['schemas']['Intent'];
export type Interaction = components['schemas']['Interaction'];
export type Issue = components['schemas']['Issue'];
export type Item = components['schemas']['Item'];
export type Item2 = components['schemas']['Item2'];
export type Judge = components['schemas']['Judge'];
export type Judged = components['schemas']['Judged'];
export type Kept = components['schemas']['Kept'];
export type KeyRequest = components['schemas']['KeyRequest'];
export type KeyRow = components['schemas']['KeyRow'];
export type KeySource = components['schemas']['KeySource'];
export type KeyState = components['schemas']['KeyState'];
export type Kind = components['schemas']['Kind'];
export type Knower = components['schemas']['Knower'];
export type KnownBy = components['schemas']['KnownBy'];
export type Language = components['schemas']['Language'];
export type Layer = components['schemas']['Layer'];
export type LeftOut = components['schemas']['LeftOut'];
export type Lengths = components['schemas']['Lengths'];
export type Level = components['schemas']['Level'];
export type Limits = components['schemas']['Limits'];
export type Link = components['schemas']['Link'];
export type Location = components['schemas']['Location'];
export type LongPrice = components['schemas']['LongPrice'];
export type Made = components['schemas']['Made'];
export type Made2 = components['schemas']['Made2'];
export type Maker = components['schemas']['Maker'];
export type ManuscriptRole = components['schemas']['ManuscriptRole'];
export type MatchedTerm = components['schemas']['MatchedTerm'];
export type MemoryId = components['schemas']['MemoryId'];
export type MemoryRow = components['schemas']['MemoryRow'];
export type Mended = components['schemas']['Mended'];
export type Merged = components['schemas']['Merged'];
export type Metadata = components['schemas']['Metadata'];
export type Metadata2 = components['schemas']['Metadata2'];
export type Mode = components['schemas']['Mode'];
export type ModelChoice = components['schemas']['ModelChoice'];
export type ModelKeyRow = components['schemas']['ModelKeyRow'];
export type ModelListing = components['schemas']['ModelListing'];
export type ModelReason = components['schemas']['ModelReason'];
export type ModelRow = components['schemas']['ModelRow'];
export type ModelTrial = components['schemas']['ModelTrial'];
export type NewKey = components['schemas']['NewKey'];
export type OffPeak = components['schemas']['OffPeak'];
export type Op = components['schemas']['Op'];
export type Order = components['schemas']['Order'];
export type Organisation = components['schemas']['Organisation'];
export type Origin = components['schemas']['Origin'];
export type Originality = components['schemas']['Originality'];
export type Otherwise = components['schemas']['Otherwise'];
export type Outcome = components['schemas']['Outcome'];
export type OutlineNode = components['schemas']['OutlineNode'];
export type OutlineNodeKind = components['schemas']['OutlineNodeKind'];
export type Pace = components['schemas']['Pace'];
export type PacePoint = components['schemas']['PacePoint'];
export type Part = components['schemas']['Part'];
export type Passage = components['schemas']['Passage'];
export type Passage2 = components['schemas']['Passage2'];
export type Permission = components['schemas']['Permission'];
export type Persona = components['schemas']['Persona'];
export type Phase = components['schemas']['Phase'];
export type PhaseKind = components['schemas']['PhaseKind'];
export type PhaseRow = components['schemas']['PhaseRow'];
export type PieceKind = components['schemas']['PieceKind'];
export type PieceMade = components['schemas']['PieceMade'];
export type PieceName = components['schemas']['PieceName'];
export type Plain = components['schemas']['Plain'];
export type Plan = components['schemas']['Plan'];
export type PlannedStep = components['schemas']['PlannedStep'];
export type PlatformChoice = components['schemas']['PlatformChoice'];
export type PlotKind = components['schemas']['PlotKind'];
export type PlotNode = components['schemas']['PlotNode'];
export type Price = components['schemas']['Price'];
export type Prices = components['schemas']['Prices'];
export type Problem = components['schemas']['Problem'];
export type ProblemDocument = components['schemas']['ProblemDocument'];
export type Production = components['schemas']['Production'];
export type ProductionView = components['schemas']['ProductionView'];
export type Progress = components['schemas']['Progress'];
export type Progress2 = components['schemas']['Progress2'];
export type ProjectRow = components['schemas']['ProjectRow'];
export type ProjectView = components['schemas']['ProjectView'];
export type Promise = components['schemas']['Promise'];
export type PromptPreview = components['schemas']['PromptPreview'];
export type PromptProblem = components['schemas']['PromptProblem'];
export type PromptRow = components['schemas']['PromptRow'];
export type PromptView = components['schemas']['PromptView'];
export type Proposal = components['schemas']['Proposal'];
export type Provenance = components['schemas']['Provenance'];
export type Question = components['schemas']['Question'];
export type Question2 = components['schemas']['Question2'];
export type Question3 = components['schemas']['Question3'];
export type QuietHours = components['schemas']['QuietHours'];
export type Quotation = components['schemas']['Quotation'];
export type Quote = components['schemas']['Quote'];
export type Quoted = components['schemas']['Quoted'];
export type Range = components['schemas']['Range'];
export type RangeOfUint = components['schemas']['Range_of_uint'];
export type Rank = components['schemas']['Rank'];
export type Readability = components['schemas']['Readability'];
export type Reading = components['schemas']['Reading'];
export type ReadMark = components['schemas']['ReadMark'];
export type ReadState = components['schemas']['ReadState'];
export type Reason = components['schemas']['Reason'];
export type Reconciled = components['schemas']['Reconciled'];
export type Rejected = components['schemas']['Rejected'];
export type RelationKind = components['schemas']['RelationKind'];
export type RequirementAnalysis = components['schemas']['RequirementAnalysis'];
export type RequirementKind = components['schemas']['RequirementKind'];
export type Restored = components['schemas']['Restored'];
export type Retold = components['schemas']['Retold'];
export type Review = components['schemas']['Review'];
export type Reviewed = components['schemas']['Reviewed'];
export type ReviewOptions = components['schemas']['ReviewOptions'];
export type Reviews = components['schemas']['Reviews'];
export type Right = components['schemas']['Right'];
export type RoleType = components['schemas']['RoleType'];
export type Row = components['schemas']['Row'];
export type RuleCoverage = components['schemas']['RuleCoverage'];
export type RuleExample = components['schemas']['RuleExample'];
export type RuleRow = components['schemas']['RuleRow'];
export type RunRow = components['schemas']['RunRow'];
export type RunStatus = components['schemas']['RunStatus'];
export type RunSummary = components['schemas']['RunSummary'];
export type ScenePlan = components['schemas']['ScenePlan'];
export type Searched = components['schemas']['Searched'];
export type SearchRequest = components['schemas']['SearchRequest'];
export type ServerCheck = components['schemas']['ServerCheck'];
export type SettingChange = components['schemas']['SettingChange'];
export type SettingRow = components['schemas']['SettingRow'];
export type Settled = components['schemas']['Settled'];
export type SettledBook = components['schemas']['SettledBook'];
export type SettledCounts = components['schemas']['SettledCounts'];
export type Severity = components['schemas']['Severity'];
export type Shortfall = components['schemas']['Shortfall'];
export type ShortfallKind = components['schemas']['ShortfallKind'];
export type Shown = components['schemas']['Shown'];
export type Side = components['schemas']['Side'];
export type Side2 = components['schemas']['Side2'];
export type Source = components['schemas']['Source'];
export type Source2 = components['schemas']['Source2'];
export type Source3 = components['schemas']['Source3'];
export type SourceShare = components['schemas']['SourceShare'];
export type Span = components['schemas']['Span'];
export type Span2 = components['schemas']['Span2'];
export type Speaker = components['schemas']['Speaker'];
export type SpendingBy = components['schemas']['SpendingBy'];
export type SpendingReport = components['schemas']['SpendingReport'];
export type SpendingRow = components['schemas']['SpendingRow'];
export type Spoken = components['schemas']['Spoken'];
export type Standing = components['schemas']['Standing'];
export type Start = components['schemas']['Start'];
export type Started = components['schemas']['Started'];
export type Statistics = components['schemas']['Statistics'];
export type Status = components['schemas']['Status'];
export type Status2 = components['schemas']['Status2'];
export type Stays = components['schemas']['Stays'];
export type Step = components['schemas']['Step'];
export type StepState = components['schemas']['StepState'];
export type Stopped = components['schemas']['Stopped'];
export type Story = components['schemas']['Story'];
export type StoryFile = components['schemas']['StoryFile'];
export type StoryMade = components['schemas']['StoryMade'];
export type Strategy = components['schemas']['Strategy'];
export type StudioEvent = components['schemas']['StudioEvent'];
export type StyleGuide = components['schemas']['StyleGuide'];
export type Substitution = components['schemas']['Substitution'];
export type Subtask = components['schemas']['Subtask'];
export type TakenBy = components['schemas']['TakenBy'];
export type Task = components['schemas']['Task'];
export type TaskMade = components['schemas']['TaskMade'];
export type TaskOptions = components['schemas']['TaskOptions'];
export type TemplateRow = components['schemas']['TemplateRow'];
export type Text = components['schemas']['Text'];
export type TextDifference = components['schemas']['TextDifference'];
export type Tied = components['schemas']['Tied'];
export type TimelineEvent = components['schemas']['TimelineEvent'];
export type Told = components['schemas']['Told'];
export type ToolConfiguration = components['schemas']['ToolConfiguration'];
export type TooLong = components['schemas']['TooLong'];
export type ToolUse = components['schemas']['ToolUse'];
export type Totals = components['schemas']['Totals'];
export type Touched = components['schemas']['Touched'];
export type TrialAnswer = components['schemas']['TrialAnswer'];
export type Turn = components['schemas']['Turn'];
export type Unit = components['schemas']['Unit'];
export type Usage = components['schemas']['Usage'];
export type UsageView = components['schemas']['UsageView'];
export type UserRequest = components['schemas']['UserRequest'];
export type UserRole = components['schemas']['UserRole'];
export type UserRow = components['schemas']['UserRow'];
export type Value = components['schemas']['Value'];
export type Variety = components['schemas']['Variety'];
export type Verdict = components['schemas']['Verdict'];
export type Verdict2 = components['schemas']['Verdict2'];
export type VersionRow = components['schemas']['VersionRow'];
export type Waiver = components['schemas']['Waiver'];
export type Warning = components['schemas']['Warning'];
export type Way = components['schemas']['Way'];
export type What = components['schemas']['What'];
export type Who = components['schemas']['Who'];
export type Wish = components['schemas']['Wish'];
export type WishKind = components['schemas']['WishKind'];
export type WishState = components['schemas']['WishState'];
export type WorkMode = components['schemas']['WorkMode'];
export type WorkspaceMethod = components['schemas']['WorkspaceMethod'];
export type WorkspaceOperation = components['schemas']['WorkspaceOperation'];
export type WorldFrame = components['schemas']['WorldFrame'];
export type WorldRule = components['schemas']['WorldRule'];
export type Worldview = components['schemas']['Worldview'];
export type Write = components['schemas']['Write'];
export type WriteRequest = components['schemas']['WriteRequest'];
export type Writes = components['schemas']['Writes'];
export type WritingTask = components['schemas']['WritingTask'];
export type Written = components['schemas']['Written'];
export type ResponseProblem = components['responses']['Problem'];
export type $defs = Record<string, never>;
export interface operations {
    estimate_plan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": {
                 *         "steps": [
                 *           {
                 *             "agent": "outline_agent",
                 *             "step_id": 1,
                 *             "task_description": "写出大纲"
                 *           },
                 *           {
                 *             "agent": "review_agent",
                 *             "dependencies": [
                 *               1
                 *             ],
                 *             "step_id": 2,
                 *             "task_description": "审查"
                 *           }
                 *         ]
                 *       },
                 *       "requirement": "一个灯塔看守人收到自己三十年前寄出的信"
                 *     }
                 */
                "application/json": {
                    /** @description The plan. */
                    plan: components["schemas"]["ExecutionPlan"];
                    /** @description What is wanted. */
                    requirement: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "critical_path": 0,
                     *       "usage": {
                     *         "by_agent": {
                     *           "outline_agent": 3979,
                     *           "review_agent": 5507
                     *         },
                     *         "cached": 0,
                     *         "calls": 2,
                     *         "cost": {
                     *           "currency": "USD",
                     *           "micros": 0
                     *         },
                     *         "estimated": true,
                     *         "input": 5486,
                     *         "output": 4000,
                     *         "total": 9486
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    forecast_cost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": {
                 *         "chapters": [
                 *           1,
                 *           2
                 *         ],
                 *         "kind": "write",
                 *         "project": "p-lighthouse",
                 *         "words": 2500
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description What is to be estimated. */
                    request: components["schemas"]["ForecastRequest"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cached": {
                     *         "least": 7886,
                     *         "likely": 10662,
                     *         "most": 44765
                     *       },
                     *       "chapters": [
                     *         1,
                     *         2
                     *       ],
                     *       "costs": [
                     *         {
                     *           "currency": "USD",
                     *           "least": 0,
                     *           "likely": 0,
                     *           "most": 0
                     *         }
                     *       ],
                     *       "input": {
                     *         "least": 51416,
                     *         "likely": 64723,
                     *         "most": 161594
                     *       },
                     *       "output": {
                     *         "least": 12300,
                     *         "likely": 13990,
                     *         "most": 27100
                     *       },
                     *       "rows": [
                     *         {
                     *           "cached": {
                     *             "least": 2379,
                     *             "likely": 2617,
                     *             "most": 7137
                     *           },
                     *           "calls": {
                     *             "least": 2,
                     *             "likely": 3,
                     *             "most": 4
                     *           },
                     *           "cost": {
                     *             "currency": "USD",
                     *             "least": 0,
                     *             "likely": 0,
                     *             "most": 0
                     *           },
                     *           "input": {
                     *             "least": 9884,
                     *             "likely": 10378,
                     *             "most": 19768
                     *           },
                     *           "model": "offline-rules-1",
                     *           "output": {
                     *             "least": 1400,
                     *             "likely": 1470,
                     *             "most": 2800
                     *           },
                     *           "purpose": "chapter.understand"
                     *         },
                     *         {
                     *           "cached": {
                     *             "least": 2379,
                     *             "likely": 2855,
                     *             "most": 7137
                     *           },
                     *           "calls": {
                     *             "least": 2,
                     *             "likely": 3,
                     *             "most": 4
                     *           },
                     *           "cost": {
                     *             "currency": "USD",
                     *             "least": 0,
                     *             "likely": 0,
                     *             "most": 0
                     *           },
                     *           "input": {
                     *             "least": 16786,
                     *             "likely": 18465,
                     *             "most": 33572
                     *           },
                     *           "model": "offline-rules-1",
                     *           "output": {
                     *             "least": 5000,
                     *             "likely": 5500,
                     *             "most": 10000
                     *           },
                     *           "purpose": "chapter.generate"
                     *         }
                     *       ],
                     *       "unpriced": []
                     *     }
                     */
                    "application/json": components["schemas"]["Forecast"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_keys: {
        parameters: {
            query?: {
                /** @description Only of this user. */
                user?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "expires": null,
                     *         "key": "k-reader",
                     *         "last_used": null,
                     *         "limits": {},
                     *         "name": "reading along",
                     *         "prefix": "qy_k-reader_",
                     *         "projects": null,
                     *         "revoked": null,
                     *         "right": "read",
                     *         "state": "active",
                     *         "user": "ben"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["KeyRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    make_key: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": {
                 *         "name": "reading along",
                 *         "right": "read",
                 *         "user": "ben"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Whose it is, and what it allows. */
                    request: components["schemas"]["KeyRequest"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "expires": null,
                     *       "key": "k-reader",
                     *       "last_used": null,
                     *       "limits": {},
                     *       "name": "reading along",
                     *       "prefix": "qy_k-reader_",
                     *       "projects": null,
                     *       "revoked": null,
                     *       "right": "read",
                     *       "secret": "qy_k-reader_J7HPLnilFwP9t3KL2oCVGfjHHmvGcSaVe9l6NHxuOec1pnqnE",
                     *       "state": "active",
                     *       "user": "ben"
                     *     }
                     */
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key, by its id.
                 * @example k-reader
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "expires": null,
                     *       "key": "k-reader",
                     *       "last_used": null,
                     *       "limits": {},
                     *       "name": "reading along",
                     *       "prefix": "qy_k-reader_",
                     *       "projects": null,
                     *       "revoked": "2026-11-23T08:30:00Z",
                     *       "right": "read",
                     *       "state": "revoked",
                     *       "user": "ben"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    import_manuscript: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": {
                 *         "bytes": "56ys5LiA56ugIOadpeS/oQoK6Zuo5LiL5LqG5LiA5aSc44CC5p6X6Z2S5o6o5byA54Gv5aGU55qE6Zeo77yM55yL6KeB5qGM5LiK5pS+552A5LiA5bCB5L+h77yM5L+h5bCB5LiK5piv5LuW6Ieq5bex55qE56yU6L+544CCCgrigJzov5nlsIHkv6HmmK/kuInljYHlubTliY3lr4Tlh7rnmoTjgILigJ3mnY7lm5vnq5nlnKjmpbzmoq/lj6Por7TjgIIKCuael+mdkuayoeacieWbnuetlOOAguS7luaKiueBr+ayuea3u+a7oe+8jOWdkOS4i+adpeaLhuS/oeOAguS/oemHjOWPquacieS4gOWPpeivne+8muS4jeimgeWcqOS4g+aciOWNgeS6lOeCueeBr+OAggoK56ys5LqM56ugIOmbvgoK5LiD5pyI5Y2B5LqU77yM5rW35LiK6LW35LqG6Zu+44CC5p6X6Z2S5a6I552A5rKh5pyJ54K555qE54Gv77yM5ZCs6KeB6Zu+6YeM5pyJ6Ii555qE6ZKf5aOw44CCCgrmnY7lm5vliJLnnYDlsI/oiLnljrvkuobnpIHnn7PpgqPovrnvvIzlpKnkuq7ml7bov5jmsqHmnInlm57mnaXjgIIK",
                 *         "name": "手稿.txt",
                 *         "title": "守灯人手稿"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The manuscript, and what is to become of it. */
                    request: components["schemas"]["ImportRequest"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "again": false,
                     *       "author": null,
                     *       "change": 1,
                     *       "chapters": [
                     *         {
                     *           "characters": 97,
                     *           "document": "d-1",
                     *           "state": "new",
                     *           "title": "第一章 来信",
                     *           "volume": null
                     *         },
                     *         {
                     *           "characters": 53,
                     *           "document": "d-2",
                     *           "state": "new",
                     *           "title": "第二章 雾",
                     *           "volume": null
                     *         }
                     *       ],
                     *       "coverage": {
                     *         "blank": 15,
                     *         "chapters": 2,
                     *         "characters": 174,
                     *         "contents": 0,
                     *         "front": 0,
                     *         "headings": 9,
                     *         "separators": 0,
                     *         "text": 150,
                     *         "title": 0
                     *       },
                     *       "dry_run": false,
                     *       "encoding": {
                     *         "bad": 0,
                     *         "by": "valid",
                     *         "name": "UTF-8"
                     *       },
                     *       "format": "txt",
                     *       "language": "zh",
                     *       "left_out": [],
                     *       "project": {
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "language": "zh",
                     *         "premise": "",
                     *         "project": "p-k91j4p",
                     *         "title": "守灯人手稿",
                     *         "updated": "2026-11-23T08:30:00Z",
                     *         "version": 1
                     *       },
                     *       "role": "book",
                     *       "settled": {
                     *         "cards": 0,
                     *         "chapters": 2,
                     *         "facts": 0,
                     *         "questions": []
                     *       },
                     *       "title": "守灯人手稿",
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["Brought"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_memories: {
        parameters: {
            query?: {
                /**
                 * @description Only of this kind.
                 * @example preference
                 */
                kind?: components["schemas"]["Kind"] | null;
                /** @description Only of this project, and of all. */
                project?: string | null;
                /**
                 * @description Only what fits these words, at most 50.
                 * @example 感叹号
                 */
                words?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "active": true,
                     *         "changed": "2026-11-23T08:30:00Z",
                     *         "count": 1,
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "evidence": [
                     *           {
                     *             "after": "",
                     *             "at": "2026-11-23T08:30:00Z",
                     *             "before": "",
                     *             "place": "",
                     *             "what": "said"
                     *           }
                     *         ],
                     *         "id": "m-exclamation",
                     *         "kind": "preference",
                     *         "project": null,
                     *         "revision": 1,
                     *         "source": "user",
                     *         "standing": "on",
                     *         "text": "对话里少用感叹号",
                     *         "topic": "对话里少用感叹号"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["MemoryRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    remember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "preference",
                 *       "text": "对话里少用感叹号"
                 *     }
                 */
                "application/json": {
                    /** @description What kind of memory. */
                    kind: components["schemas"]["Kind"];
                    /**
                     * @description The project; every one without it.
                     * @default null
                     */
                    project?: string | null;
                    /** @description The words. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "active": true,
                     *       "changed": "2026-11-23T08:30:00Z",
                     *       "count": 1,
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "evidence": [
                     *         {
                     *           "after": "",
                     *           "at": "2026-11-23T08:30:00Z",
                     *           "before": "",
                     *           "place": "",
                     *           "what": "said"
                     *         }
                     *       ],
                     *       "id": "m-exclamation",
                     *       "kind": "preference",
                     *       "project": null,
                     *       "revision": 1,
                     *       "source": "user",
                     *       "standing": "on",
                     *       "text": "对话里少用感叹号",
                     *       "topic": "对话里少用感叹号"
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    forget_memories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1 */
                    "application/json": number;
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    forget_memory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The memory.
                 * @example m-exclamation
                 */
                memory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "active": true,
                     *       "changed": "2026-11-23T08:30:00Z",
                     *       "count": 1,
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "evidence": [
                     *         {
                     *           "after": "",
                     *           "at": "2026-11-23T08:30:00Z",
                     *           "before": "",
                     *           "place": "",
                     *           "what": "said"
                     *         }
                     *       ],
                     *       "id": "m-exclamation",
                     *       "kind": "preference",
                     *       "project": null,
                     *       "revision": 2,
                     *       "source": "user",
                     *       "standing": "on",
                     *       "text": "对话里不用感叹号",
                     *       "topic": "对话里少用感叹号"
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    edit_memory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The memory.
                 * @example m-exclamation
                 */
                memory: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "text": "对话里不用感叹号"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Whether it holds.
                     * @default null
                     */
                    on?: boolean | null;
                    /**
                     * @description The new words.
                     * @default null
                     */
                    text?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "active": true,
                     *       "changed": "2026-11-23T08:30:00Z",
                     *       "count": 1,
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "evidence": [
                     *         {
                     *           "after": "",
                     *           "at": "2026-11-23T08:30:00Z",
                     *           "before": "",
                     *           "place": "",
                     *           "what": "said"
                     *         }
                     *       ],
                     *       "id": "m-exclamation",
                     *       "kind": "preference",
                     *       "project": null,
                     *       "revision": 2,
                     *       "source": "user",
                     *       "standing": "on",
                     *       "text": "对话里不用感叹号",
                     *       "topic": "对话里少用感叹号"
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "base_url": "https://api.anthropic.com/v1",
                     *         "key_present": false,
                     *         "key_variable": "ANTHROPIC_API_KEY",
                     *         "models": [
                     *           "anthropic/claude-sonnet-4-5"
                     *         ],
                     *         "provider": "anthropic",
                     *         "reachable": null,
                     *         "roles": {}
                     *       },
                     *       {
                     *         "base_url": "https://api.deepseek.com/v1",
                     *         "key_present": false,
                     *         "key_variable": "DEEPSEEK_API_KEY",
                     *         "models": [
                     *           "deepseek/deepseek-chat"
                     *         ],
                     *         "provider": "deepseek",
                     *         "reachable": null,
                     *         "roles": {}
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ModelRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    keep_model_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The provider, such as `deepseek`.
                 * @example deepseek
                 */
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "secret": "sk-0123456789"
                 *     }
                 */
                "application/json": {
                    /** @description The key. */
                    secret: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": components["schemas"]["ModelKeyRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    forget_model_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The provider, such as `deepseek`.
                 * @example deepseek
                 */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": components["schemas"]["ModelKeyRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    refresh_models: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": components["schemas"]["ModelListing"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    try_model: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "model": "offline-rules-1"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The model, such as `deepseek/usual`; the one that serves by default without it.
                     * @default null
                     */
                    model?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": components["schemas"]["ModelTrial"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_prices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "anthropic/claude-haiku-4-5*": {
                     *         "cached": 0.1,
                     *         "currency": "USD",
                     *         "date": "2025-10-15",
                     *         "input": 1,
                     *         "output": 5
                     *       },
                     *       "anthropic/claude-sonnet-4*": {
                     *         "cached": 0.3,
                     *         "currency": "USD",
                     *         "date": "2025-10-15",
                     *         "input": 3,
                     *         "output": 15
                     *       },
                     *       "deepseek/deepseek-chat": {
                     *         "cached": 0.2,
                     *         "currency": "CNY",
                     *         "date": "2025-09-29",
                     *         "input": 2,
                     *         "output": 3
                     *       },
                     *       "deepseek/deepseek-reasoner": {
                     *         "cached": 0.2,
                     *         "currency": "CNY",
                     *         "date": "2025-09-29",
                     *         "input": 2,
                     *         "output": 3
                     *       },
                     *       "gemini/gemini-2.5-flash": {
                     *         "cached": 0.075,
                     *         "currency": "USD",
                     *         "date": "2025-06-17",
                     *         "input": 0.3,
                     *         "output": 2.5
                     *       },
                     *       "minimax/MiniMax-M2": {
                     *         "cached": null,
                     *         "currency": "CNY",
                     *         "date": "2025-10-27",
                     *         "input": 2.1,
                     *         "output": 8.4
                     *       },
                     *       "moonshot/kimi-k2-0905-preview": {
                     *         "cached": 1,
                     *         "currency": "CNY",
                     *         "date": "2025-09-05",
                     *         "input": 4,
                     *         "output": 16
                     *       },
                     *       "offline-rules-*": {
                     *         "cached": null,
                     *         "currency": "USD",
                     *         "date": "2026-11-01",
                     *         "input": 0,
                     *         "output": 0
                     *       },
                     *       "openai/gpt-4.1": {
                     *         "cached": 0.5,
                     *         "currency": "USD",
                     *         "date": "2025-08-07",
                     *         "input": 2,
                     *         "output": 8
                     *       },
                     *       "openai/gpt-4.1-mini": {
                     *         "cached": 0.1,
                     *         "currency": "USD",
                     *         "date": "2025-08-07",
                     *         "input": 0.4,
                     *         "output": 1.6
                     *       },
                     *       "openai/gpt-4o": {
                     *         "cached": 1.25,
                     *         "currency": "USD",
                     *         "date": "2025-08-07",
                     *         "input": 2.5,
                     *         "output": 10
                     *       },
                     *       "openai/gpt-4o-mini": {
                     *         "cached": 0.075,
                     *         "currency": "USD",
                     *         "date": "2025-08-07",
                     *         "input": 0.15,
                     *         "output": 0.6
                     *       },
                     *       "openai/gpt-5": {
                     *         "cached": 0.125,
                     *         "currency": "USD",
                     *         "date": "2025-08-07",
                     *         "input": 1.25,
                     *         "output": 10
                     *       },
                     *       "openai/gpt-5-mini": {
                     *         "cached": 0.025,
                     *         "currency": "USD",
                     *         "date": "2025-08-07",
                     *         "input": 0.25,
                     *         "output": 2
                     *       },
                     *       "qwen/qwen-max": {
                     *         "cached": null,
                     *         "currency": "CNY",
                     *         "date": "2025-06-01",
                     *         "input": 2.4,
                     *         "output": 9.6
                     *       },
                     *       "qwen/qwen-plus": {
                     *         "cached": null,
                     *         "currency": "CNY",
                     *         "date": "2025-07-28",
                     *         "input": 0.8,
                     *         "output": 2
                     *       },
                     *       "zhipu/glm-4-flash*": {
                     *         "cached": null,
                     *         "currency": "CNY",
                     *         "date": "2025-06-01",
                     *         "input": 0,
                     *         "output": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Prices"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_projects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "language": "zh",
                     *         "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "project": "p-lighthouse",
                     *         "title": "守灯人",
                     *         "unread": 2,
                     *         "updated": "2026-11-23T08:30:00Z",
                     *         "version": 1
                     *       },
                     *       {
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "language": "zh",
                     *         "premise": "为独立开发者写一门关于定价的短课程",
                     *         "project": "p-course",
                     *         "title": "为独立开发者写一门关于定价的短课程",
                     *         "unread": 0,
                     *         "updated": "2026-11-23T08:30:00Z",
                     *         "version": 20
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ProjectRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    begin_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "language": "zh",
                 *       "premise": "雨夜里，一把铜钥匙换了主人。"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The language of the book; that of its premise or title without it.
                     * @default null
                     */
                    language?: components["schemas"]["Language"] | null;
                    /**
                     * @description The author's words for what the book is about. Either these or a title are needed.
                     * @default
                     */
                    premise?: string;
                    /**
                     * @description The title; made from the premise without it.
                     * @default null
                     */
                    title?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "language": "zh",
                     *       "premise": "雨夜里，一把铜钥匙换了主人。",
                     *       "project": "p-brass-key",
                     *       "title": "雨夜里，一把铜钥匙换了主人",
                     *       "updated": "2026-11-23T08:30:00Z",
                     *       "version": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_read_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "p-lighthouse",
                     *         "language": "zh",
                     *         "last_ids": {
                     *           "c": 2,
                     *           "d": 1,
                     *           "e": 1,
                     *           "f": 1,
                     *           "g": 1,
                     *           "i": 1,
                     *           "l": 1,
                     *           "o": 1,
                     *           "p": 1,
                     *           "promise": 1,
                     *           "r": 1,
                     *           "w": 1
                     *         },
                     *         "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "title": "一个灯塔看守人收到自己三十年前寄出的信"
                     *       },
                     *       "version": 1
                     *     }
                     */
                    "application/json": {
                        data: {
                            id: string;
                            language: string;
                            /** @description The highest number given in ids, by prefix. */
                            last_ids: {
                                [key: string]: number;
                            };
                            /** @description The author's words for what the book is about. */
                            premise: string;
                            title: string;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    analyze_project: {
        parameters: {
            query?: {
                /**
                 * @description One chapter; all without it.
                 * @example 第一章 来信
                 */
                chapter?: string | null;
            };
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "document": "d-1",
                     *       "figures": {
                     *         "dialogue": {
                     *           "length": 11,
                     *           "mean": 11,
                     *           "share": 0.131,
                     *           "speakers": [
                     *             {
                     *               "length": 11,
                     *               "name": "李四",
                     *               "share": 1,
                     *               "speeches": 1
                     *             }
                     *           ],
                     *           "speeches": 1,
                     *           "unnamed": 0
                     *         },
                     *         "emotion": {
                     *           "curve": [
                     *             {
                     *               "feelings": {},
                     *               "intensity": 0,
                     *               "leading": null,
                     *               "polarity": 0,
                     *               "span": {
                     *                 "end": 295,
                     *                 "start": 0
                     *               }
                     *             }
                     *           ],
                     *           "feelings": {},
                     *           "intensity": 0,
                     *           "polarity": 0,
                     *           "words": []
                     *         },
                     *         "language": "zh",
                     *         "length": 84,
                     *         "pace": {
                     *           "actions": 11.905,
                     *           "curve": [
                     *             {
                     *               "actions": 11.905,
                     *               "dialogue": 0.131,
                     *               "pace": 0.484,
                     *               "sentence": 12,
                     *               "span": {
                     *                 "end": 295,
                     *                 "start": 0
                     *               }
                     *             }
                     *           ],
                     *           "mean": 0.484
                     *         },
                     *         "paragraphs": {
                     *           "count": 3,
                     *           "histogram": [
                     *             {
                     *               "count": 0,
                     *               "from": 0,
                     *               "to": 10
                     *             },
                     *             {
                     *               "count": 1,
                     *               "from": 11,
                     *               "to": 30
                     *             }
                     *           ],
                     *           "longest": 33,
                     *           "mean": 28,
                     *           "median": 32,
                     *           "shortest": 19,
                     *           "spread": 6.377
                     *         },
                     *         "quotes": [
                     *           {
                     *             "shows": "longest_sentence",
                     *             "span": {
                     *               "end": 108,
                     *               "start": 18
                     *             },
                     *             "text": "林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。",
                     *             "value": 27
                     *           },
                     *           {
                     *             "shows": "longest_paragraph",
                     *             "span": {
                     *               "end": 202,
                     *               "start": 181
                     *             },
                     *             "text": "林青没有回答。",
                     *             "value": 33
                     *           }
                     *         ],
                     *         "readability": {
                     *           "ease": "plain",
                     *           "formula": "xu",
                     *           "grade": null,
                     *           "score": 3.845,
                     *           "values": {
                     *             "characters_per_clause": 7.636,
                     *             "function_words": 0.054
                     *           }
                     *         },
                     *         "sentences": {
                     *           "count": 7,
                     *           "histogram": [
                     *             {
                     *               "count": 1,
                     *               "from": 0,
                     *               "to": 5
                     *             },
                     *             {
                     *               "count": 2,
                     *               "from": 6,
                     *               "to": 10
                     *             }
                     *           ],
                     *           "longest": 27,
                     *           "mean": 12,
                     *           "median": 11,
                     *           "shortest": 5,
                     *           "spread": 7.01
                     *         },
                     *         "variety": {
                     *           "count": 73,
                     *           "different": 71,
                     *           "moving": 0.973,
                     *           "mtld": 746.06,
                     *           "ratio": 0.973,
                     *           "unit": "pairs",
                     *           "window": 73
                     *         }
                     *       },
                     *       "title": "第一章 来信"
                     *     }
                     */
                    "application/json": components["schemas"]["Analysed"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    ask_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": {
                 *         "question": "信里写了什么？"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description What is asked. */
                    request: components["schemas"]["AskRequest"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "answer": "离线规则没有找到答案，材料里也没有与这个问题相近的句子。",
                     *       "citations": [],
                     *       "holds": false,
                     *       "left_out": 0,
                     *       "model": "offline-rules-1",
                     *       "passages": [
                     *         {
                     *           "citation": {
                     *             "name": "第一章 来信",
                     *             "range": {
                     *               "end": 296,
                     *               "start": 0
                     *             },
                     *             "source": {
                     *               "id": "d-1",
                     *               "kind": "document"
                     *             },
                     *             "version": 0
                     *           },
                     *           "heading": "第一章 来信 · 林青 · 李四",
                     *           "number": 1,
                     *           "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n",
                     *           "tokens": 110
                     *         },
                     *         {
                     *           "citation": {
                     *             "name": "第一章 来信",
                     *             "range": null,
                     *             "source": {
                     *               "id": "o-1",
                     *               "kind": "outline_node"
                     *             },
                     *             "version": 0
                     *           },
                     *           "heading": "第一章 来信",
                     *           "number": 2,
                     *           "text": "第一章 来信\n林青 李四",
                     *           "tokens": 16
                     *         }
                     *       ],
                     *       "pattern": null,
                     *       "question": "信里写了什么？",
                     *       "rank": null,
                     *       "read_by_model": false,
                     *       "ties": [
                     *         [],
                     *         []
                     *       ],
                     *       "usage": {
                     *         "cached": 0,
                     *         "estimated": false,
                     *         "input": 0,
                     *         "output": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Answered"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_change_several: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "operations": [
                 *         {
                 *           "body": {
                 *             "age": 60,
                 *             "id": "c-2",
                 *             "name": "韩铁"
                 *           },
                 *           "method": "PUT",
                 *           "path": "characters/c-2",
                 *           "position": 0
                 *         },
                 *         {
                 *           "method": "DELETE",
                 *           "path": "items/i-1"
                 *         },
                 *         {
                 *           "method": "DELETE",
                 *           "path": "locations/l-1"
                 *         },
                 *         {
                 *           "method": "DELETE",
                 *           "path": "organisations/g-1"
                 *         },
                 *         {
                 *           "method": "DELETE",
                 *           "path": "world-rules/w-1"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The version that the changes are made for, if `If-Match` does not say it. */
                    expected?: number | null;
                    /** @description What is changed, one after the other. */
                    operations: components["schemas"]["WorkspaceOperation"][];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": null,
                     *       "version": 29
                     *     }
                     */
                    "application/json": {
                        data: null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    download_book: {
        parameters: {
            query?: {
                /** @description The author, for the cover. */
                author?: string;
                /** @description As what. */
                format?: "markdown" | "txt" | "qidian" | "fanqie" | "epub" | "docx";
                /** @description The first chapter, counted from 1. */
                from?: number;
                /** @description The last chapter. */
                to?: number;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/epub+zip": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "text/markdown": string;
                    "text/plain": string;
                };
            };
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
        };
    };
    list_branches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "base": 3,
                     *         "branch": "另一种结局",
                     *         "branch_of": "p-lighthouse",
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "language": "zh",
                     *         "name": "另一种结局",
                     *         "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "project": "p-gy0ef6",
                     *         "title": "守灯人 · 另一种结局",
                     *         "updated": "2026-11-23T08:30:00Z",
                     *         "version": 3
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["BranchRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    begin_branch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "另一种结局"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uint64
                     * @description The change it begins after; the newest without it.
                     * @default null
                     */
                    at?: number | null;
                    /** @description What the branch is called. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "base": 3,
                     *       "branch": "另一种结局",
                     *       "branch_of": "p-lighthouse",
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "language": "zh",
                     *       "name": "另一种结局",
                     *       "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *       "project": "p-gy0ef6",
                     *       "title": "守灯人 · 另一种结局",
                     *       "updated": "2026-11-23T08:30:00Z",
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["BranchRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    delete_branch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The branch.
                 * @example 另一种结局
                 */
                name: string;
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "base": 3,
                     *       "branch": "另一种结局",
                     *       "branch_of": "p-lighthouse",
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "language": "zh",
                     *       "name": "另一种结局",
                     *       "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *       "project": "p-gy0ef6",
                     *       "title": "守灯人 · 另一种结局",
                     *       "updated": "2026-11-23T08:30:00Z",
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["BranchRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    compare_branch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The branch.
                 * @example 另一种结局
                 */
                name: string;
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "branch": {
                     *         "base": 3,
                     *         "branch": "另一种结局",
                     *         "branch_of": "p-lighthouse",
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "language": "zh",
                     *         "name": "另一种结局",
                     *         "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "project": "p-gy0ef6",
                     *         "title": "守灯人 · 另一种结局",
                     *         "updated": "2026-11-23T08:30:00Z",
                     *         "version": 3
                     *       },
                     *       "pieces": [],
                     *       "texts": []
                     *     }
                     */
                    "application/json": components["schemas"]["BranchComparison"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    merge_branch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The branch.
                 * @example 另一种结局
                 */
                name: string;
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "right": "branch"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Which side is right where both have changed the same; a conflict without it.
                     * @default null
                     */
                    right?: components["schemas"]["Side"] | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "change": null,
                     *       "settled": [],
                     *       "taken": []
                     *     }
                     */
                    "application/json": components["schemas"]["Merged"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_changes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "agent": "person",
                     *         "at": "2026-11-23T08:30:00Z",
                     *         "change": 1,
                     *         "model": null,
                     *         "put": [
                     *           {
                     *             "id": "c-1",
                     *             "kind": "character",
                     *             "name": "林青"
                     *           },
                     *           {
                     *             "id": "c-2",
                     *             "kind": "character",
                     *             "name": "李四"
                     *           }
                     *         ],
                     *         "removed": [],
                     *         "run": "import",
                     *         "tokens": 0,
                     *         "undoes": null
                     *       },
                     *       {
                     *         "agent": "person",
                     *         "at": "2026-11-23T08:30:00Z",
                     *         "change": 2,
                     *         "model": null,
                     *         "put": [
                     *           {
                     *             "id": "d-2",
                     *             "kind": "document",
                     *             "name": "第二章 雾"
                     *           }
                     *         ],
                     *         "removed": [],
                     *         "run": "edit",
                     *         "tokens": 0,
                     *         "undoes": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ChangeRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    undo_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /**
                     * Format: uint64
                     * @description The change; the newest without it.
                     * @default null
                     */
                    change?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent": "person",
                     *       "at": "2026-11-23T08:30:00Z",
                     *       "change": 4,
                     *       "model": null,
                     *       "put": [],
                     *       "removed": [
                     *         {
                     *           "id": "#0",
                     *           "kind": "waiver",
                     *           "name": ""
                     *         }
                     *       ],
                     *       "run": "undo",
                     *       "tokens": 0,
                     *       "undoes": 3
                     *     }
                     */
                    "application/json": components["schemas"]["ChangeRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_chapter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The chapter: its number, its title or its id.
                 * @example 第一章 来信
                 */
                chapter: string;
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d-1",
                     *       "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n",
                     *       "title": "第一章 来信",
                     *       "version": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ChapterText"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    edit_chapter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The chapter: its number, its title or its id.
                 * @example 第二章 雾
                 */
                chapter: string;
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "七月十五，海上起了雾。林青守着没有点的灯，听见雾里有船的钟声。\n\n李四划着小船去了礁石那边，天亮时还没有回来。\n\n林青在日出前点亮了灯。\n"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uint32
                     * @description The version that it was written for; whatever is there without it.
                     * @default null
                     */
                    expected?: number | null;
                    /** @description The new text. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "back": [],
                     *       "change": 2,
                     *       "findings": [],
                     *       "found": [],
                     *       "gone": [],
                     *       "id": "d-2",
                     *       "kept": [],
                     *       "length": 57,
                     *       "reading": "unread",
                     *       "title": "第二章 雾",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["EditedChapter"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_list_character: {
        parameters: {
            query?: {
                /**
                 * @description Only these: ids or names, with commas between them.
                 * @example 林青,c-2
                 */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "age": 52,
                     *             "alias": [],
                     *             "arc": "",
                     *             "background": "",
                     *             "birth": null,
                     *             "conflicts": "",
                     *             "death": null,
                     *             "goals": "查清是谁寄的信",
                     *             "id": "c-1",
                     *             "name": "林青",
                     *             "occupation": "",
                     *             "personality": "",
                     *             "role_type": "protagonist",
                     *             "traits": [],
                     *             "weakness": ""
                     *           },
                     *           {
                     *             "age": null,
                     *             "alias": [],
                     *             "arc": "",
                     *             "background": "",
                     *             "birth": null,
                     *             "conflicts": "",
                     *             "death": null,
                     *             "goals": "",
                     *             "id": "c-2",
                     *             "name": "韩铁",
                     *             "occupation": "船长",
                     *             "personality": "",
                     *             "role_type": "supporting",
                     *             "traits": [],
                     *             "weakness": ""
                     *           }
                     *         ],
                     *         "total": 2
                     *       },
                     *       "version": 1
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Character"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_character: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "age": 30,
                 *       "background": "记者",
                 *       "conflicts": "不信任何人",
                 *       "goals": "写出真相",
                 *       "name": "苏曼",
                 *       "personality": "直率"
                 *     }
                 */
                "application/json": components["schemas"]["Character"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "age": 30,
                     *         "alias": [],
                     *         "arc": "",
                     *         "background": "记者",
                     *         "birth": null,
                     *         "conflicts": "不信任何人",
                     *         "death": null,
                     *         "goals": "写出真相",
                     *         "id": "c-3",
                     *         "name": "苏曼",
                     *         "occupation": "",
                     *         "personality": "直率",
                     *         "role_type": "supporting",
                     *         "traits": [],
                     *         "weakness": ""
                     *       },
                     *       "version": 2
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Character"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "age": 30,
                     *         "alias": [],
                     *         "arc": "",
                     *         "background": "记者",
                     *         "birth": null,
                     *         "conflicts": "不信任何人",
                     *         "death": null,
                     *         "goals": "写出真相",
                     *         "id": "c-3",
                     *         "name": "苏曼",
                     *         "occupation": "",
                     *         "personality": "直率",
                     *         "role_type": "supporting",
                     *         "traits": [],
                     *         "weakness": ""
                     *       },
                     *       "version": 2
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Character"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_character: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "age": 52,
                     *         "alias": [],
                     *         "arc": "",
                     *         "background": "",
                     *         "birth": null,
                     *         "conflicts": "",
                     *         "death": null,
                     *         "goals": "查清是谁寄的信",
                     *         "id": "c-1",
                     *         "name": "林青",
                     *         "occupation": "",
                     *         "personality": "",
                     *         "role_type": "protagonist",
                     *         "traits": [],
                     *         "weakness": ""
                     *       },
                     *       "version": 2
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Character"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_character: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "age": 53
                 *     }
                 */
                "application/json": components["schemas"]["Character"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "age": 53,
                     *         "alias": [],
                     *         "arc": "",
                     *         "background": "",
                     *         "birth": null,
                     *         "conflicts": "",
                     *         "death": null,
                     *         "goals": "查清是谁寄的信",
                     *         "id": "c-1",
                     *         "name": "林青",
                     *         "occupation": "",
                     *         "personality": "",
                     *         "role_type": "protagonist",
                     *         "traits": [],
                     *         "weakness": ""
                     *       },
                     *       "version": 3
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Character"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_character: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "age": 30,
                     *         "alias": [],
                     *         "arc": "",
                     *         "background": "记者",
                     *         "birth": null,
                     *         "conflicts": "不信任何人",
                     *         "death": null,
                     *         "goals": "写出真相",
                     *         "id": "c-3",
                     *         "name": "苏曼",
                     *         "occupation": "",
                     *         "personality": "直率",
                     *         "role_type": "supporting",
                     *         "traits": [],
                     *         "weakness": ""
                     *       },
                     *       "version": 36
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Character"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_analyze_arc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "changes": [],
                     *         "character": {
                     *           "id": "c-1",
                     *           "name": "林青",
                     *           "role_type": "protagonist"
                     *         },
                     *         "declared": {
                     *           "arc": "",
                     *           "conflicts": "",
                     *           "goals": "查清是谁寄的信",
                     *           "weakness": ""
                     *         },
                     *         "observations": [
                     *           {
                     *             "code": "missing",
                     *             "text": "林青的卡片上还没有写：weakness, conflicts, arc。"
                     *           }
                     *         ],
                     *         "presence": {
                     *           "chapters": 1,
                     *           "first": "第一章 来信",
                     *           "last": "第一章 来信",
                     *           "longest_absence": null,
                     *           "of": 2,
                     *           "thirds": [
                     *             1,
                     *             0
                     *           ]
                     *         },
                     *         "stages": [
                     *           {
                     *             "chapter": 1,
                     *             "events": [
                     *               {
                     *                 "id": "e-1",
                     *                 "importance": 0,
                     *                 "title": "信到了"
                     *               }
                     *             ],
                     *             "goal": "让他离岛",
                     *             "mentions": 1,
                     *             "outline_node": {
                     *               "id": "o-1",
                     *               "name": "第一章 来信"
                     *             },
                     *             "participates": true,
                     *             "relations": [],
                     *             "turning_points": []
                     *           }
                     *         ],
                     *         "turning_points": []
                     *       },
                     *       "version": 26
                     *     }
                     */
                    "application/json": {
                        /** @description What the tool of that name answers; see the list of tools. */
                        data: Record<string, never>;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    check_story: {
        parameters: {
            query?: {
                /** @description Only rules whose codes begin so. */
                only?: string[];
            };
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "basis": {
                     *         "chapters": [
                     *           {
                     *             "chapter": 1,
                     *             "document": "d-1",
                     *             "state": "unread",
                     *             "title": "第一章 来信",
                     *             "version": 0
                     *           },
                     *           {
                     *             "chapter": 2,
                     *             "document": "d-2",
                     *             "state": "unread",
                     *             "title": "第二章 雾",
                     *             "version": 0
                     *           }
                     *         ],
                     *         "judge": "rules",
                     *         "pieces": 7,
                     *         "rules": {
                     *           "blind": [
                     *             {
                     *               "codes": [
                     *                 "QY107",
                     *                 "QY312"
                     *               ],
                     *               "missing": "relation"
                     *             },
                     *             {
                     *               "codes": [
                     *                 "QY110",
                     *                 "QY203"
                     *               ],
                     *               "missing": "event"
                     *             }
                     *           ],
                     *           "clean": 109,
                     *           "off": 0,
                     *           "run": 112
                     *         }
                     *       },
                     *       "findings": [
                     *         {
                     *           "instructions": [
                     *             {
                     *               "action": "update",
                     *               "issue_id": "QY911-e81e91",
                     *               "parameters": {
                     *                 "background": null,
                     *                 "goals": null,
                     *                 "id": "c-1",
                     *                 "kind": "character",
                     *                 "personality": null,
                     *                 "traits": null
                     *               },
                     *               "priority": 5,
                     *               "specific_instruction": "补写“林青”的特点、性格、背景与目标",
                     *               "target_agent": "character_agent"
                     *             }
                     *           ],
                     *           "issue": {
                     *             "affected_entities": [
                     *               "林青"
                     *             ],
                     *             "category": "completeness",
                     *             "code": "QY911",
                     *             "evidence": [
                     *               {
                     *                 "anchor": "characters/c-1/name",
                     *                 "quote": "林青"
                     *               }
                     *             ],
                     *             "id": "QY911-e81e91",
                     *             "impact": "写到他时没有依据，言行容易前后不一",
                     *             "root_cause": "“林青”不是次要人物，卡上却没有性格、背景、目标、矛盾、弱点或变化",
                     *             "severity": "medium",
                     *             "source": "rule",
                     *             "sub_category": "character",
                     *             "title": "“林青”的人物卡是空的"
                     *           }
                     *         },
                     *         {
                     *           "instructions": [
                     *             {
                     *               "action": "update",
                     *               "issue_id": "QY911-f0dfd6",
                     *               "parameters": {
                     *                 "background": null,
                     *                 "goals": null,
                     *                 "id": "c-2",
                     *                 "kind": "character",
                     *                 "personality": null,
                     *                 "traits": null
                     *               },
                     *               "priority": 5,
                     *               "specific_instruction": "补写“李四”的特点、性格、背景与目标",
                     *               "target_agent": "character_agent"
                     *             }
                     *           ],
                     *           "issue": {
                     *             "affected_entities": [
                     *               "李四"
                     *             ],
                     *             "category": "completeness",
                     *             "code": "QY911",
                     *             "evidence": [
                     *               {
                     *                 "anchor": "characters/c-2/name",
                     *                 "quote": "李四"
                     *               }
                     *             ],
                     *             "id": "QY911-f0dfd6",
                     *             "impact": "写到他时没有依据，言行容易前后不一",
                     *             "root_cause": "“李四”不是次要人物，卡上却没有性格、背景、目标、矛盾、弱点或变化",
                     *             "severity": "medium",
                     *             "source": "rule",
                     *             "sub_category": "character",
                     *             "title": "“李四”的人物卡是空的"
                     *           }
                     *         }
                     *       ],
                     *       "mendable": [],
                     *       "score": 72,
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Checkup"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    compare_texts: {
        parameters: {
            query?: {
                /**
                 * @description One document; all without it.
                 * @example 第二章 雾
                 */
                document?: string | null;
                /** @description The change or version it is compared from; the one before the newest without it. */
                from?: number | null;
                /** @description And to; the newest without it. */
                to?: number | null;
            };
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "texts": [
                     *         {
                     *           "added": 11,
                     *           "document": "d-2",
                     *           "from": 0,
                     *           "hunks": [
                     *             {
                     *               "new_line": 4,
                     *               "old_line": 4,
                     *               "spans": [
                     *                 {
                     *                   "op": "added",
                     *                   "text": "\n林青在日出前点亮了灯。\n"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "removed": 0,
                     *           "title": "第二章 雾",
                     *           "to": 1
                     *         }
                     *       ],
                     *       "versions": [
                     *         {
                     *           "agent": "person",
                     *           "at": "2026-11-23T08:30:00Z",
                     *           "change": 1,
                     *           "characters": 53,
                     *           "version": 0
                     *         },
                     *         {
                     *           "agent": "person",
                     *           "at": "2026-11-23T08:30:00Z",
                     *           "change": 2,
                     *           "characters": 64,
                     *           "version": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Differences"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    download_content: {
        parameters: {
            query?: {
                /** @description Which file, counted from 0, where the form has several. */
                file?: number;
                /** @description `markdown`, `docx`, `json`, or the name of a channel. */
                format?: string;
                /** @description Only this field and what is below it. */
                path?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; `X-Files` says how many there are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "text/markdown": string;
                    "text/plain": string;
                };
            };
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
        };
    };
    workspace_list_document: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "id": "d-1",
                     *             "order": 1,
                     *             "outline_node": "o-1",
                     *             "read": null,
                     *             "settled": null,
                     *             "summary": "",
                     *             "text": "雾散了。林青看见门缝里有一封信。",
                     *             "title": "第一章 来信",
                     *             "version": 1
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 19
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Document"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_document: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "content": "船在雾里走了一夜。",
                 *       "title": "第二章 海图"
                 *     }
                 */
                "application/json": components["schemas"]["Document"] & {
                    /** @description A text to add at the end. */
                    append?: string;
                    /** @description The whole text. */
                    content?: string;
                    /** @description Places to change; each must stand in the text once. */
                    replacements?: {
                        find: string;
                        with: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "d-2",
                     *         "length": 8,
                     *         "order": 2,
                     *         "outline_node": null,
                     *         "title": "第二章 海图",
                     *         "version": 1
                     *       },
                     *       "version": 20
                     *     }
                     */
                    "application/json": {
                        data: ({
                            id?: string;
                            /** @description Characters and words, as an editor counts them. */
                            length?: number;
                            order?: number;
                            outline_node?: string | null;
                            title?: string;
                            version?: number;
                        } | null) | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "d-2",
                     *         "length": 8,
                     *         "order": 2,
                     *         "outline_node": null,
                     *         "title": "第二章 海图",
                     *         "version": 1
                     *       },
                     *       "version": 20
                     *     }
                     */
                    "application/json": {
                        data: ({
                            id?: string;
                            /** @description Characters and words, as an editor counts them. */
                            length?: number;
                            order?: number;
                            outline_node?: string | null;
                            title?: string;
                            version?: number;
                        } | null) | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_document: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document: its id or title. */
                document: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "content": "雾散了。林青看见门缝里有一封信。",
                     *         "id": "d-1",
                     *         "order": 1,
                     *         "outline_node": "o-1",
                     *         "read": null,
                     *         "settled": null,
                     *         "summary": "",
                     *         "text": "雾散了。林青看见门缝里有一封信。",
                     *         "title": "第一章 来信",
                     *         "version": 1
                     *       },
                     *       "version": 20
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Document"] & {
                            /** @description The text. */
                            content?: string;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_document: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The document: its id or title. */
                document: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "content": "雾散了。林青看见门缝里有一封信，是他自己的字。"
                 *     }
                 */
                "application/json": components["schemas"]["Document"] & {
                    /** @description A text to add at the end. */
                    append?: string;
                    /** @description The whole text. */
                    content?: string;
                    /** @description Places to change; each must stand in the text once. */
                    replacements?: {
                        find: string;
                        with: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "d-1",
                     *         "length": 20,
                     *         "order": 1,
                     *         "outline_node": "o-1",
                     *         "title": "第一章 来信",
                     *         "version": 2
                     *       },
                     *       "version": 21
                     *     }
                     */
                    "application/json": {
                        data: ({
                            id?: string;
                            /** @description Characters and words, as an editor counts them. */
                            length?: number;
                            order?: number;
                            outline_node?: string | null;
                            title?: string;
                            version?: number;
                        } | null) | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_document: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The document: its id or title. */
                document: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "d-2",
                     *         "order": 2,
                     *         "outline_node": null,
                     *         "read": null,
                     *         "settled": null,
                     *         "summary": "",
                     *         "text": "船在雾里走了一夜。",
                     *         "title": "第二章 海图",
                     *         "version": 1
                     *       },
                     *       "version": 45
                     *     }
                     */
                    "application/json": {
                        data: ({
                            id?: string;
                            /** @description Characters and words, as an editor counts them. */
                            length?: number;
                            order?: number;
                            outline_node?: string | null;
                            title?: string;
                            version?: number;
                        } | null) | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    restore_version: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The document.
                 * @example 第二章 雾
                 */
                document: string;
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 1
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uint32
                     * @description The version.
                     */
                    version: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "change": null,
                     *       "document": "d-2",
                     *       "restored": 1,
                     *       "title": "第二章 雾",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Restored"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_list_versions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document: its id or title. */
                document: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "made": {
                     *               "at": "2026-11-23T08:30:00Z",
                     *               "provenance": {
                     *                 "agent": "person",
                     *                 "model": null,
                     *                 "note": "",
                     *                 "prompt_hash": null,
                     *                 "run": "import",
                     *                 "tool": ""
                     *               },
                     *               "version": 1
                     *             },
                     *             "text": "雾散了。林青看见门缝里有一封信。",
                     *             "version": 1
                     *           },
                     *           {
                     *             "made": {
                     *               "at": "2026-11-23T08:30:00Z",
                     *               "provenance": {
                     *                 "agent": "person",
                     *                 "model": null,
                     *                 "note": "",
                     *                 "prompt_hash": null,
                     *                 "run": null,
                     *                 "tool": "document_tool"
                     *               },
                     *               "version": 21
                     *             },
                     *             "text": "雾散了。林青看见门缝里有一封信，是他自己的字。",
                     *             "version": 2
                     *           }
                     *         ],
                     *         "total": 2
                     *       },
                     *       "version": 25
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["DocumentVersion"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_keep_version: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The document: its id or title. */
                document: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "label": "交稿"
                 *     }
                 */
                "application/json": {
                    /** @description A word on it. */
                    label?: string | null;
                    /** @description Its number, from a tool at a distance. */
                    version?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "d-1",
                     *         "length": 20,
                     *         "order": 1,
                     *         "outline_node": "o-1",
                     *         "title": "第一章 来信",
                     *         "version": 3
                     *       },
                     *       "version": 26
                     *     }
                     */
                    "application/json": {
                        data: {
                            id?: string;
                            /** @description Characters and words, as an editor counts them. */
                            length?: number;
                            order?: number;
                            outline_node?: string | null;
                            title?: string;
                            version?: number;
                        } | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    export_book: {
        parameters: {
            query?: {
                /**
                 * @description The author, for the cover.
                 * @example 梅
                 */
                author?: string | null;
                /**
                 * @description The form.
                 * @example epub
                 */
                format?: components["schemas"]["BookForm"];
                /**
                 * @description The first chapter, counted from 1 in reading order.
                 * @example 1
                 */
                from?: number | null;
                /**
                 * @description The last chapter.
                 * @example 2
                 */
                to?: number | null;
            };
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bytes": "UEsDBAoAAAAAAAAAIQBvYassFAAAABQAAAAIAAAAbWltZXR5cGVhcHBsaWNhdGlvbi9lcHViK3ppcFBLAwQUAAAACAAAACEArWcBiq0AAAD5AAAAFgAAAE1FVEEtSU5GL2NvbnRhaW5lci54bWxdjkEKwjAQRfc…",
                     *       "exported": {
                     *         "chapters": 2,
                     *         "characters": 161,
                     *         "empty": [],
                     *         "title": "守灯人"
                     *       },
                     *       "extension": "epub"
                     *     }
                     */
                    "application/json": components["schemas"]["BookFile"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    export_content: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-course
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "format": "markdown"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description As what.
                     * @default markdown
                     */
                    format?: components["schemas"]["ContentForm"];
                    /**
                     * @description Only these fields and what is below them; all if none is named.
                     * @default []
                     */
                    paths?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "files": [
                     *         {
                     *           "bytes": "IyDkuLrni6znq4vlvIDlj5HogIXlhpnkuIDpl6jlhbPkuo7lrprku7fnmoTnn63or77nqIsKCiMjIOivvuaWhyAx77ya6K6k6K+G5a6a5Lu377ya5YWI55yL5riF6Ieq5bex55qE5aSE5aKDCgo+IOi/meaYr+e…",
                     *           "extension": "md",
                     *           "title": "为独立开发者写一门关于定价的短课程"
                     *         }
                     *       ],
                     *       "missing": [],
                     *       "stale": [
                     *         "produce_inner/lessons/1",
                     *         "produce_inner/lessons/2"
                     *       ],
                     *       "too_long": []
                     *     }
                     */
                    "application/json": components["schemas"]["ContentFiles"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    ask_facts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": {
                 *         "about": "林青"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description What is asked. */
                    question: components["schemas"]["Question2"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "by": null,
                     *         "certain": true,
                     *         "fact": "f-1",
                     *         "known_by": [],
                     *         "mode": "narrated",
                     *         "object": null,
                     *         "predicate": "age",
                     *         "says": {
                     *           "anchor": "facts/f-1/predicate",
                     *           "quote": "林青 age 52岁"
                     *         },
                     *         "subject": "林青",
                     *         "unit": "岁",
                     *         "value": 52
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Answer"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_field: {
        parameters: {
            query: {
                /**
                 * @description The field, such as `intent/report`.
                 * @example intent/report
                 */
                path: string;
            };
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-course
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dependents": [
                     *         "intent/personas",
                     *         "research/report"
                     *       ],
                     *       "depends_on": [],
                     *       "golden": "intent",
                     *       "guidance": "把访谈压成可以照着做的一页：要达到什么、给谁、他们现在卡在哪里、看完能得到什么。限制写硬条件（篇幅、时间、不能说的话），成功写能观察到的结果，而不是“受欢迎”。",
                     *       "is_confirmed": true,
                     *       "is_content": false,
                     *       "made_by": {
                     *         "agent": "production_agent",
                     *         "model": "offline-rules-1",
                     *         "prompt_hash": "3e07e95ff2300acdf7efc46a8c6f6264d23b2cf48e465251c46a3b1e0acff668"
                     *       },
                     *       "made_from": {},
                     *       "path": "intent/report",
                     *       "phase": "intent",
                     *       "schema": {
                     *         "additionalProperties": false,
                     *         "properties": {
                     *           "audience": {
                     *             "minLength": 1,
                     *             "type": "string"
                     *           },
                     *           "constraints": {
                     *             "items": {
                     *               "minLength": 1,
                     *               "type": "string"
                     *             },
                     *             "type": "array"
                     *           },
                     *           "goal": {
                     *             "minLength": 1,
                     *             "type": "string"
                     *           },
                     *           "problem": {
                     *             "minLength": 1,
                     *             "type": "string"
                     *           },
                     *           "promise": {
                     *             "minLength": 1,
                     *             "type": "string"
                     *           },
                     *           "success": {
                     *             "items": {
                     *               "minLength": 1,
                     *               "type": "string"
                     *             },
                     *             "minItems": 1,
                     *             "type": "array"
                     *           },
                     *           "tone": {
                     *             "minLength": 1,
                     *             "type": "string"
                     *           }
                     *         },
                     *         "required": [
                     *           "goal",
                     *           "audience"
                     *         ],
                     *         "type": "object"
                     *       },
                     *       "status": "confirmed",
                     *       "text": "**goal**: 让独立开发者弄懂定价，并且能够：〔待写：看完能做成什么〕\n\n**audience**: 独立开发者\n\n**problem**: 〔待写：他们卡在什么问题上〕\n\n**promise**: 〔待写：看完能做成什么〕\n\n**constraints**\n\n- 〔待写：篇幅、形式、语气、期限〕\n- 不能漏：…",
                     *       "title": "意图报告",
                     *       "value": {
                     *         "audience": "独立开发者",
                     *         "constraints": [
                     *           "〔待写：篇幅、形式、语气、期限〕",
                     *           "不能漏：〔待写：已有的材料和不能漏的内容〕"
                     *         ],
                     *         "goal": "让独立开发者弄懂定价，并且能够：〔待写：看完能做成什么〕",
                     *         "problem": "〔待写：他们卡在什么问题上〕",
                     *         "promise": "〔待写：看完能做成什么〕",
                     *         "success": [
                     *           "独立开发者照着做完后能够：〔待写：看完能做成什么〕"
                     *         ],
                     *         "tone": "〔待写：语气，如平实、亲切、严谨〕"
                     *       },
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["FieldView"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    put_field: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-course
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "design_inner/promise",
                 *       "typed": "学完能独立给自己的第一个产品定价。"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uint32
                     * @description The version that it was made for; the newest without it.
                     * @default null
                     */
                    expected?: number | null;
                    /** @description The field, such as `intent/report`. */
                    path: string;
                    /** @description The value as it was typed: text, or JSON for a structured field. */
                    typed: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": [],
                     *       "path": "design_inner/promise",
                     *       "removed": [],
                     *       "stale": [
                     *         "design_inner/outline",
                     *         "produce_inner/lessons/1"
                     *       ],
                     *       "version": 2
                     *     }
                     */
                    "application/json": components["schemas"]["Changed"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    confirm_fields: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-course
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paths": [
                 *         "design_inner/promise"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The fields. */
                    paths: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": null;
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_statistics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chapters": [
                     *         {
                     *           "dialogue": 0.131,
                     *           "document": "d-1",
                     *           "length": 84,
                     *           "order": 1,
                     *           "paragraphs": 3,
                     *           "people": [
                     *             "林青",
                     *             "李四"
                     *           ],
                     *           "planned": null,
                     *           "reading": "unread",
                     *           "sentence": 12,
                     *           "sentences": 7,
                     *           "share": null,
                     *           "title": "第一章 来信"
                     *         },
                     *         {
                     *           "dialogue": 0,
                     *           "document": "d-2",
                     *           "length": 57,
                     *           "order": 2,
                     *           "paragraphs": 3,
                     *           "people": [
                     *             "林青",
                     *             "李四"
                     *           ],
                     *           "planned": null,
                     *           "reading": "unread",
                     *           "sentence": 14.25,
                     *           "sentences": 4,
                     *           "share": null,
                     *           "title": "第二章 雾"
                     *         }
                     *       ],
                     *       "characters": [
                     *         {
                     *           "chapters": [
                     *             1,
                     *             2
                     *           ],
                     *           "id": "c-1",
                     *           "mentions": 4,
                     *           "name": "林青",
                     *           "planned": 2,
                     *           "role": "protagonist",
                     *           "speeches": 0,
                     *           "spoken": 0
                     *         },
                     *         {
                     *           "chapters": [
                     *             1,
                     *             2
                     *           ],
                     *           "id": "c-2",
                     *           "mentions": 2,
                     *           "name": "李四",
                     *           "planned": 1,
                     *           "role": "supporting",
                     *           "speeches": 1,
                     *           "spoken": 11
                     *         }
                     *       ],
                     *       "language": "zh",
                     *       "progress": {
                     *         "chapters_planned": 2,
                     *         "chapters_written": 2,
                     *         "share": null,
                     *         "words_planned": null,
                     *         "words_written": 141
                     *       },
                     *       "totals": {
                     *         "chapter": 70.5,
                     *         "chapters": 2,
                     *         "dialogue": 0.078,
                     *         "length": 141,
                     *         "paragraphs": 6,
                     *         "sentence": 12.818,
                     *         "sentences": 11
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    waive_finding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The finding.
                 * @example QY911-e81e91
                 */
                finding: string;
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "owner": "mei",
                 *       "reason": "有意为之，第九章会交代"
                 *     }
                 */
                "application/json": {
                    /** @description Who says so. */
                    owner: string;
                    /** @description Why. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "basis": {
                     *         "chapters": [
                     *           {
                     *             "chapter": 1,
                     *             "document": "d-1",
                     *             "state": "unread",
                     *             "title": "第一章 来信",
                     *             "version": 0
                     *           },
                     *           {
                     *             "chapter": 2,
                     *             "document": "d-2",
                     *             "state": "unread",
                     *             "title": "第二章 雾",
                     *             "version": 1
                     *           }
                     *         ],
                     *         "judge": "rules",
                     *         "pieces": 7,
                     *         "rules": {
                     *           "blind": [
                     *             {
                     *               "codes": [
                     *                 "QY107",
                     *                 "QY312"
                     *               ],
                     *               "missing": "relation"
                     *             },
                     *             {
                     *               "codes": [
                     *                 "QY110",
                     *                 "QY203"
                     *               ],
                     *               "missing": "event"
                     *             }
                     *           ],
                     *           "clean": 109,
                     *           "off": 0,
                     *           "run": 112
                     *         }
                     *       },
                     *       "findings": [
                     *         {
                     *           "instructions": [
                     *             {
                     *               "action": "update",
                     *               "issue_id": "QY911-f0dfd6",
                     *               "parameters": {
                     *                 "background": null,
                     *                 "goals": null,
                     *                 "id": "c-2",
                     *                 "kind": "character",
                     *                 "personality": null,
                     *                 "traits": null
                     *               },
                     *               "priority": 5,
                     *               "specific_instruction": "补写“李四”的特点、性格、背景与目标",
                     *               "target_agent": "character_agent"
                     *             }
                     *           ],
                     *           "issue": {
                     *             "affected_entities": [
                     *               "李四"
                     *             ],
                     *             "category": "completeness",
                     *             "code": "QY911",
                     *             "evidence": [
                     *               {
                     *                 "anchor": "characters/c-2/name",
                     *                 "quote": "李四"
                     *               }
                     *             ],
                     *             "id": "QY911-f0dfd6",
                     *             "impact": "写到他时没有依据，言行容易前后不一",
                     *             "root_cause": "“李四”不是次要人物，卡上却没有性格、背景、目标、矛盾、弱点或变化",
                     *             "severity": "medium",
                     *             "source": "rule",
                     *             "sub_category": "character",
                     *             "title": "“李四”的人物卡是空的"
                     *           }
                     *         },
                     *         {
                     *           "instructions": [
                     *             {
                     *               "action": "update",
                     *               "issue_id": "QY913-d4071c",
                     *               "parameters": {
                     *                 "description": null,
                     *                 "id": "o-2",
                     *                 "kind": "outline_node"
                     *               },
                     *               "priority": 5,
                     *               "specific_instruction": "写出“第二章 雾”里发生了什么：谁、想要什么、遇到什么、结果如何",
                     *               "target_agent": "outline_agent"
                     *             }
                     *           ],
                     *           "issue": {
                     *             "affected_entities": [
                     *               "第二章 雾"
                     *             ],
                     *             "category": "completeness",
                     *             "code": "QY913",
                     *             "evidence": [
                     *               {
                     *                 "anchor": "outline_nodes/o-2/description",
                     *                 "quote": "第二章 雾"
                     *               }
                     *             ],
                     *             "id": "QY913-d4071c",
                     *             "impact": "写到这里时无从下笔，前后的章节也接不上",
                     *             "root_cause": "“第二章 雾”只有名字，没有描述：谁做了什么、结果如何，都没有写",
                     *             "severity": "medium",
                     *             "source": "rule",
                     *             "sub_category": "outline",
                     *             "title": "“第二章 雾”没有写发生了什么"
                     *           }
                     *         }
                     *       ],
                     *       "mendable": [],
                     *       "score": 78,
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["Checkup"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_graph: {
        parameters: {
            query?: {
                /**
                 * @description As of when: `chapter:30`, an event, a time in the story's words. At any time if left out.
                 * @example 第一章 来信
                 */
                as_of?: string | null;
                /**
                 * @description The most nodes that are drawn; 40 if left out.
                 * @example 20
                 */
                most?: number | null;
                /** @description Only what this pattern finds. */
                pattern?: string | null;
            };
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "drawing": {
                     *         "caption": "",
                     *         "left_out": 0,
                     *         "lines": [
                     *           {
                     *             "from": 0,
                     *             "is_directed": true,
                     *             "to": 2,
                     *             "words": [
                     *               "appears_in"
                     *             ]
                     *           },
                     *           {
                     *             "from": 1,
                     *             "is_directed": true,
                     *             "to": 2,
                     *             "words": [
                     *               "appears_in"
                     *             ]
                     *           }
                     *         ],
                     *         "nodes": [
                     *           {
                     *             "kind": "Character",
                     *             "name": "林青"
                     *           },
                     *           {
                     *             "kind": "Character",
                     *             "name": "李四"
                     *           }
                     *         ]
                     *       },
                     *       "graph": {
                     *         "edges": [
                     *           {
                     *             "certain": true,
                     *             "from": "林青",
                     *             "from_id": "c-1",
                     *             "mode": "narrated",
                     *             "relation": "appears_in",
                     *             "says": {
                     *               "anchor": "outline_nodes/o-1/participants",
                     *               "quote": "林青 appears_in 第一章 来信 (第一章 来信)"
                     *             },
                     *             "since": "第一章 来信",
                     *             "source": {
                     *               "id": "o-1",
                     *               "kind": "outline_node"
                     *             },
                     *             "to": "第一章 来信",
                     *             "to_id": "o-1",
                     *             "until": ""
                     *           },
                     *           {
                     *             "certain": true,
                     *             "from": "李四",
                     *             "from_id": "c-2",
                     *             "mode": "narrated",
                     *             "relation": "appears_in",
                     *             "says": {
                     *               "anchor": "outline_nodes/o-1/participants",
                     *               "quote": "李四 appears_in 第一章 来信 (第一章 来信)"
                     *             },
                     *             "since": "第一章 来信",
                     *             "source": {
                     *               "id": "o-1",
                     *               "kind": "outline_node"
                     *             },
                     *             "to": "第一章 来信",
                     *             "to_id": "o-1",
                     *             "until": ""
                     *           }
                     *         ],
                     *         "nodes": [
                     *           {
                     *             "id": "c-1",
                     *             "kind": "Character",
                     *             "name": "林青",
                     *             "properties": {
                     *               "age": [
                     *                 {
                     *                   "unit": "岁",
                     *                   "value": 52
                     *                 }
                     *               ],
                     *               "role_type": [
                     *                 {
                     *                   "unit": "",
                     *                   "value": "protagonist"
                     *                 }
                     *               ]
                     *             }
                     *           },
                     *           {
                     *             "id": "c-2",
                     *             "kind": "Character",
                     *             "name": "李四",
                     *             "properties": {
                     *               "role_type": [
                     *                 {
                     *                   "unit": "",
                     *                   "value": "supporting"
                     *                 }
                     *               ]
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GraphView"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_impact: {
        parameters: {
            query: {
                /**
                 * @description The most that is told.
                 * @example 5
                 */
                limit?: number | null;
                /**
                 * @description The piece.
                 * @example 林青
                 */
                piece: string;
            };
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "distance": 1,
                     *         "kind": "outline_node",
                     *         "label": "第一章 来信",
                     *         "path": [
                     *           {
                     *             "because": "refers_to",
                     *             "kind": "character",
                     *             "piece": "c-1"
                     *           }
                     *         ],
                     *         "piece": "o-1",
                     *         "sentences": []
                     *       },
                     *       {
                     *         "distance": 1,
                     *         "kind": "outline_node",
                     *         "label": "第二章 雾",
                     *         "path": [
                     *           {
                     *             "because": "refers_to",
                     *             "kind": "character",
                     *             "piece": "c-1"
                     *           }
                     *         ],
                     *         "piece": "o-2",
                     *         "sentences": []
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Touched"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_index: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "embedder": "lexical-hash-1024",
                     *       "having": 7,
                     *       "passages": 7
                     *     }
                     */
                    "application/json": components["schemas"]["Embedded"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    build_index: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /**
                     * @description Whether the whole index is made anew.
                     * @default false
                     */
                    rebuild?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "embedder": "lexical-hash-1024",
                     *       "having": 7,
                     *       "passages": 7
                     *     }
                     */
                    "application/json": components["schemas"]["Embedded"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_list_item: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "alias": [],
                     *             "description": "",
                     *             "holder": "林青",
                     *             "id": "i-1",
                     *             "name": "旧信"
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 15
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Item"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_item: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "海图"
                 *     }
                 */
                "application/json": components["schemas"]["Item"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "holder": null,
                     *         "id": "i-2",
                     *         "name": "海图"
                     *       },
                     *       "version": 16
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Item"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "holder": null,
                     *         "id": "i-2",
                     *         "name": "海图"
                     *       },
                     *       "version": 16
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Item"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_item: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "holder": "林青",
                     *         "id": "i-1",
                     *         "name": "旧信"
                     *       },
                     *       "version": 16
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Item"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_item: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "holder": "韩铁"
                 *     }
                 */
                "application/json": components["schemas"]["Item"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "holder": "韩铁",
                     *         "id": "i-1",
                     *         "name": "旧信"
                     *       },
                     *       "version": 17
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Item"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_item: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "holder": null,
                     *         "id": "i-2",
                     *         "name": "海图"
                     *       },
                     *       "version": 43
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Item"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_list_location: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "alias": [],
                     *             "description": "",
                     *             "id": "l-1",
                     *             "name": "灯塔",
                     *             "travel": []
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 11
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Location"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_location: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "北礁"
                 *     }
                 */
                "application/json": components["schemas"]["Location"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "id": "l-2",
                     *         "name": "北礁",
                     *         "travel": []
                     *       },
                     *       "version": 12
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Location"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "id": "l-2",
                     *         "name": "北礁",
                     *         "travel": []
                     *       },
                     *       "version": 12
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Location"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_location: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "id": "l-1",
                     *         "name": "灯塔",
                     *         "travel": []
                     *       },
                     *       "version": 12
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Location"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_location: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "岛的最高处"
                 *     }
                 */
                "application/json": components["schemas"]["Location"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "岛的最高处",
                     *         "id": "l-1",
                     *         "name": "灯塔",
                     *         "travel": []
                     *       },
                     *       "version": 13
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Location"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_location: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "id": "l-2",
                     *         "name": "北礁",
                     *         "travel": []
                     *       },
                     *       "version": 41
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Location"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    mend_story: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "only": [
                 *         "QY1"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Only findings of rules whose codes begin so.
                     * @default []
                     */
                    only?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "change": null,
                     *       "checkup": {
                     *         "basis": {
                     *           "chapters": [
                     *             {
                     *               "chapter": 1,
                     *               "document": "d-1",
                     *               "state": "unread",
                     *               "title": "第一章 来信",
                     *               "version": 0
                     *             },
                     *             {
                     *               "chapter": 2,
                     *               "document": "d-2",
                     *               "state": "unread",
                     *               "title": "第二章 雾",
                     *               "version": 0
                     *             }
                     *           ],
                     *           "judge": "rules",
                     *           "pieces": 7,
                     *           "rules": {
                     *             "blind": [
                     *               {
                     *                 "codes": [
                     *                   "QY107",
                     *                   "QY312"
                     *                 ],
                     *                 "missing": "relation"
                     *               },
                     *               {
                     *                 "codes": [
                     *                   "QY110",
                     *                   "QY203"
                     *                 ],
                     *                 "missing": "event"
                     *               }
                     *             ],
                     *             "clean": 109,
                     *             "off": 0,
                     *             "run": 112
                     *           }
                     *         },
                     *         "findings": [],
                     *         "mendable": [],
                     *         "score": 100,
                     *         "version": 1
                     *       },
                     *       "left": {},
                     *       "mended": []
                     *     }
                     */
                    "application/json": components["schemas"]["Mended"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_read_outline_node: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "goal": "",
                     *         "id": "o-1",
                     *         "kind": "chapter",
                     *         "location": null,
                     *         "metadata": {
                     *           "participants": [
                     *             "林青"
                     *           ]
                     *         },
                     *         "name": "第一章 来信",
                     *         "order": 1,
                     *         "parent": null,
                     *         "participants": [
                     *           "林青"
                     *         ],
                     *         "pays": [],
                     *         "plants": [],
                     *         "words": null
                     *       },
                     *       "version": 6
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OutlineNode"] & {
                            metadata?: {
                                participants?: string[];
                            };
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_outline_node: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "goal": "让他离岛"
                 *     }
                 */
                "application/json": components["schemas"]["OutlineNode"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "goal": "让他离岛",
                     *         "id": "o-1",
                     *         "kind": "chapter",
                     *         "location": null,
                     *         "name": "第一章 来信",
                     *         "order": 1,
                     *         "parent": null,
                     *         "participants": [
                     *           "林青"
                     *         ],
                     *         "pays": [],
                     *         "plants": [],
                     *         "words": null
                     *       },
                     *       "version": 7
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OutlineNode"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_outline_node: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "goal": "",
                     *         "id": "o-2",
                     *         "kind": "chapter",
                     *         "location": null,
                     *         "name": "第二章 海图",
                     *         "order": 0,
                     *         "parent": null,
                     *         "participants": [],
                     *         "pays": [],
                     *         "plants": [],
                     *         "words": null
                     *       },
                     *       "version": 38
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OutlineNode"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_list_organisation: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "alias": [],
                     *             "description": "",
                     *             "id": "g-1",
                     *             "name": "航标处"
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 13
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Organisation"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_organisation: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "轮渡公司"
                 *     }
                 */
                "application/json": components["schemas"]["Organisation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "id": "g-2",
                     *         "name": "轮渡公司"
                     *       },
                     *       "version": 14
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organisation"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "id": "g-2",
                     *         "name": "轮渡公司"
                     *       },
                     *       "version": 14
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organisation"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "id": "g-1",
                     *         "name": "航标处"
                     *       },
                     *       "version": 14
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organisation"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_organisation: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "管灯塔的人"
                 *     }
                 */
                "application/json": components["schemas"]["Organisation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "管灯塔的人",
                     *         "id": "g-1",
                     *         "name": "航标处"
                     *       },
                     *       "version": 15
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organisation"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_organisation: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alias": [],
                     *         "description": "",
                     *         "id": "g-2",
                     *         "name": "轮渡公司"
                     *       },
                     *       "version": 42
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organisation"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_list_outline_node: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "description": "",
                     *             "goal": "",
                     *             "id": "o-1",
                     *             "kind": "chapter",
                     *             "location": null,
                     *             "name": "第一章 来信",
                     *             "order": 1,
                     *             "parent": null,
                     *             "participants": [
                     *               "林青"
                     *             ],
                     *             "pays": [],
                     *             "plants": [],
                     *             "words": null
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 5
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["OutlineNode"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_outline: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "goal": "入局",
                 *           "name": "第一章 来信"
                 *         },
                 *         {
                 *           "name": "第二章 海图"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    items: components["schemas"]["OutlineNode"][];
                    total?: number;
                } | components["schemas"]["OutlineNode"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "description": "",
                     *             "goal": "入局",
                     *             "id": "o-1",
                     *             "kind": "chapter",
                     *             "location": null,
                     *             "name": "第一章 来信",
                     *             "order": 0,
                     *             "parent": null,
                     *             "participants": [],
                     *             "pays": [],
                     *             "plants": [],
                     *             "words": null
                     *           },
                     *           {
                     *             "description": "",
                     *             "goal": "",
                     *             "id": "o-2",
                     *             "kind": "chapter",
                     *             "location": null,
                     *             "name": "第二章 海图",
                     *             "order": 0,
                     *             "parent": null,
                     *             "participants": [],
                     *             "pays": [],
                     *             "plants": [],
                     *             "words": null
                     *           }
                     *         ],
                     *         "total": 2
                     *       },
                     *       "version": 35
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["OutlineNode"][];
                            total?: number;
                        } | components["schemas"]["OutlineNode"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_outline_node: {
        parameters: {
            query?: {
                /** @description The node behind which a new one stands. */
                after?: string;
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "第二章 海图",
                 *       "participants": [
                 *         "韩铁"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["OutlineNode"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "goal": "",
                     *         "id": "o-2",
                     *         "kind": "chapter",
                     *         "location": null,
                     *         "name": "第二章 海图",
                     *         "order": 2,
                     *         "parent": null,
                     *         "participants": [
                     *           "韩铁"
                     *         ],
                     *         "pays": [],
                     *         "plants": [],
                     *         "words": null
                     *       },
                     *       "version": 6
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OutlineNode"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "goal": "",
                     *         "id": "o-2",
                     *         "kind": "chapter",
                     *         "location": null,
                     *         "name": "第二章 海图",
                     *         "order": 2,
                     *         "parent": null,
                     *         "participants": [
                     *           "韩铁"
                     *         ],
                     *         "pays": [],
                     *         "plants": [],
                     *         "words": null
                     *       },
                     *       "version": 6
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OutlineNode"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_generate_outline: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "preview": true,
                 *       "structure_type": "hero_journey"
                 *     }
                 */
                "application/json": {
                    /** @description The beats of a custom structure. */
                    beats?: Record<string, never>[] | null;
                    /** @description Only shows what it would make. */
                    preview?: boolean | null;
                    /**
                     * @description Three acts if left out.
                     * @enum {string|null}
                     */
                    structure_type?: "three_act" | "hero_journey" | "custom" | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "events_placed": 0,
                     *         "note": "生成了15个节点；23处未知，标为〔待写〕，等作者来写。",
                     *         "outline_nodes": [
                     *           {
                     *             "description": "〔待写〕",
                     *             "goal": "〔待写〕",
                     *             "id": "",
                     *             "kind": "act",
                     *             "location": null,
                     *             "name": "启程",
                     *             "order": 1,
                     *             "parent": null,
                     *             "participants": [],
                     *             "pays": [],
                     *             "plants": [],
                     *             "words": null
                     *           },
                     *           {
                     *             "description": "〔待写〕",
                     *             "goal": "林青的日常，以及心中所求：查清是谁寄的信",
                     *             "id": "",
                     *             "kind": "chapter",
                     *             "location": null,
                     *             "name": "第一章 平凡世界",
                     *             "order": 2,
                     *             "parent": null,
                     *             "participants": [
                     *               "林青"
                     *             ],
                     *             "pays": [],
                     *             "plants": [],
                     *             "words": null
                     *           }
                     *         ],
                     *         "preview": true,
                     *         "structure_type": "hero_journey",
                     *         "unknown": [
                     *           {
                     *             "field": "description",
                     *             "outline_node": "启程"
                     *           },
                     *           {
                     *             "field": "goal",
                     *             "outline_node": "启程"
                     *           }
                     *         ]
                     *       },
                     *       "version": 49
                     *     }
                     */
                    "application/json": {
                        /** @description What the tool of that name answers; see the list of tools. */
                        data: Record<string, never>;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_story: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "character_relations": [
                     *           {
                     *             "description": "",
                     *             "from": "林青",
                     *             "id": "r-1",
                     *             "since": null,
                     *             "strength": 0.6,
                     *             "to": "韩铁",
                     *             "type": "friend",
                     *             "until": null
                     *           }
                     *         ],
                     *         "characters": [
                     *           {
                     *             "age": 52,
                     *             "alias": [],
                     *             "arc": "",
                     *             "background": "",
                     *             "birth": null,
                     *             "conflicts": "",
                     *             "death": null,
                     *             "goals": "查清是谁寄的信",
                     *             "id": "c-1",
                     *             "name": "林青",
                     *             "occupation": "",
                     *             "personality": "",
                     *             "role_type": "protagonist",
                     *             "traits": [],
                     *             "weakness": ""
                     *           },
                     *           {
                     *             "age": null,
                     *             "alias": [],
                     *             "arc": "",
                     *             "background": "",
                     *             "birth": null,
                     *             "conflicts": "",
                     *             "death": null,
                     *             "goals": "",
                     *             "id": "c-2",
                     *             "name": "韩铁",
                     *             "occupation": "船长",
                     *             "personality": "",
                     *             "role_type": "supporting",
                     *             "traits": [],
                     *             "weakness": ""
                     *           }
                     *         ],
                     *         "documents": [
                     *           {
                     *             "id": "d-1",
                     *             "order": 1,
                     *             "outline_node": "o-1",
                     *             "text": "雾散了。林青看见门缝里有一封信。",
                     *             "title": "第一章 来信",
                     *             "version": 1
                     *           }
                     *         ],
                     *         "facts": [
                     *           {
                     *             "by": null,
                     *             "from": "",
                     *             "id": "f-1",
                     *             "known_by": [],
                     *             "mode": "narrated",
                     *             "object": "旧信",
                     *             "predicate": "持有",
                     *             "source": null,
                     *             "subject": "林青",
                     *             "unit": "",
                     *             "until": "",
                     *             "value": null
                     *           }
                     *         ],
                     *         "fields": [
                     *           {
                     *             "depends_on": [],
                     *             "guidance": "",
                     *             "is_confirmed": false,
                     *             "is_content": false,
                     *             "made_from": {},
                     *             "path": "intent/goal",
                     *             "phase": "intent",
                     *             "schema": null,
                     *             "title": "目标",
                     *             "value": "学会定价",
                     *             "version": 1
                     *           }
                     *         ],
                     *         "language": "zh",
                     *         "last_ids": {
                     *           "c": 2,
                     *           "d": 1,
                     *           "e": 1,
                     *           "f": 1,
                     *           "g": 1,
                     *           "i": 1,
                     *           "l": 1,
                     *           "o": 1,
                     *           "p": 1,
                     *           "promise": 1,
                     *           "r": 1,
                     *           "w": 1
                     *         },
                     *         "outline_nodes": [
                     *           {
                     *             "description": "",
                     *             "goal": "",
                     *             "id": "o-1",
                     *             "kind": "chapter",
                     *             "location": null,
                     *             "name": "第一章 来信",
                     *             "order": 1,
                     *             "parent": null,
                     *             "participants": [
                     *               "林青"
                     *             ],
                     *             "pays": [],
                     *             "plants": [],
                     *             "words": null
                     *           }
                     *         ],
                     *         "plot_nodes": [
                     *           {
                     *             "causes": [],
                     *             "description": "",
                     *             "events": [],
                     *             "id": "p-1",
                     *             "kind": "setup",
                     *             "outline_node": null,
                     *             "title": "来信"
                     *           }
                     *         ],
                     *         "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "production": {
                     *           "channels": [],
                     *           "criteria": [],
                     *           "current_phase": "intent",
                     *           "phases": [
                     *             {
                     *               "autonomy": "wait",
                     *               "is_done": false,
                     *               "kind": "make",
                     *               "name": "intent",
                     *               "title": "意图"
                     *             }
                     *           ],
                     *           "template": "course"
                     *         },
                     *         "promises": [
                     *           {
                     *             "advanced": [],
                     *             "description": "",
                     *             "due": null,
                     *             "id": "promise-1",
                     *             "importance": 0,
                     *             "name": "谁寄的信",
                     *             "paid": [],
                     *             "planted": [
                     *               "第一章 来信"
                     *             ]
                     *           }
                     *         ],
                     *         "style": {
                     *           "dialogue": "",
                     *           "guidelines": [],
                     *           "point_of_view": "",
                     *           "rhythm": "",
                     *           "taboos": [],
                     *           "tense": "",
                     *           "tone": "克制"
                     *         },
                     *         "timeline_events": [
                     *           {
                     *             "after": [],
                     *             "deaths": [],
                     *             "description": "",
                     *             "duration": "",
                     *             "id": "e-1",
                     *             "importance": 0,
                     *             "location": null,
                     *             "mode": "narrated",
                     *             "outline_node": "o-1",
                     *             "participants": [
                     *               "林青"
                     *             ],
                     *             "timestamp": "第3天",
                     *             "title": "信到了"
                     *           }
                     *         ],
                     *         "worldview": {
                     *           "era": "1990年代",
                     *           "genre": "悬疑",
                     *           "items": [
                     *             {
                     *               "alias": [],
                     *               "description": "",
                     *               "holder": "林青",
                     *               "id": "i-1",
                     *               "name": "旧信"
                     *             }
                     *           ],
                     *           "locations": [
                     *             {
                     *               "alias": [],
                     *               "description": "",
                     *               "id": "l-1",
                     *               "name": "灯塔"
                     *             }
                     *           ],
                     *           "organisations": [
                     *             {
                     *               "alias": [],
                     *               "description": "",
                     *               "id": "g-1",
                     *               "name": "航标处"
                     *             }
                     *           ],
                     *           "rules": [
                     *             {
                     *               "id": "w-1",
                     *               "limit": "",
                     *               "name": "雾夜不出海",
                     *               "statement": ""
                     *             }
                     *           ],
                     *           "summary": ""
                     *         }
                     *       },
                     *       "version": 1
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Story"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_list_plot_node: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "causes": [],
                     *             "description": "",
                     *             "events": [],
                     *             "id": "p-1",
                     *             "kind": "setup",
                     *             "outline_node": null,
                     *             "title": "来信"
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 9
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["PlotNode"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_plot_node: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "海图上的记号"
                 *     }
                 */
                "application/json": components["schemas"]["PlotNode"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "causes": [],
                     *         "description": "",
                     *         "events": [],
                     *         "id": "p-2",
                     *         "kind": "setup",
                     *         "outline_node": null,
                     *         "title": "海图上的记号"
                     *       },
                     *       "version": 10
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PlotNode"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "causes": [],
                     *         "description": "",
                     *         "events": [],
                     *         "id": "p-2",
                     *         "kind": "setup",
                     *         "outline_node": null,
                     *         "title": "海图上的记号"
                     *       },
                     *       "version": 10
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PlotNode"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_plot_node: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "causes": [],
                     *         "description": "",
                     *         "events": [],
                     *         "id": "p-1",
                     *         "kind": "setup",
                     *         "outline_node": null,
                     *         "title": "来信"
                     *       },
                     *       "version": 10
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PlotNode"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_plot_node: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "信纸背面是海图"
                 *     }
                 */
                "application/json": components["schemas"]["PlotNode"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "causes": [],
                     *         "description": "信纸背面是海图",
                     *         "events": [],
                     *         "id": "p-1",
                     *         "kind": "setup",
                     *         "outline_node": null,
                     *         "title": "来信"
                     *       },
                     *       "version": 11
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PlotNode"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_plot_node: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "causes": [],
                     *         "description": "",
                     *         "events": [],
                     *         "id": "p-2",
                     *         "kind": "setup",
                     *         "outline_node": null,
                     *         "title": "海图上的记号"
                     *       },
                     *       "version": 40
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PlotNode"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    read_production: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-course
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "current_phase": "",
                     *       "fields": [
                     *         {
                     *           "depends_on": [],
                     *           "length": 66,
                     *           "path": "intent/creator_profile",
                     *           "phase": "intent",
                     *           "status": "confirmed",
                     *           "title": "创作者特质",
                     *           "version": 1
                     *         },
                     *         {
                     *           "depends_on": [],
                     *           "length": 107,
                     *           "path": "intent/report",
                     *           "phase": "intent",
                     *           "status": "confirmed",
                     *           "title": "意图报告",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "golden_context": {
                     *         "consumer_personas": "- doubts: \n    - 〔待写：他会说出口的原话，如“我基础太弱，跟得上吗？”〕\n  knows: 对定价几乎没有了解\n  name: 刚起步的人\n  situation: 〔待写：今天发生在他身上的一件具体的事〕\n  wants: 有人从头讲清定价的第一步\n  who: 独立开发者，刚接触定价\n- dou…",
                     *         "creator_profile": "> 这是离线助手按规则搭的框架，不是成文；〔待写〕处要由人或语言模型来写。\n\n## 创作者\n\n未说明。〔待写：你是谁，凭什么讲定价〕\n\n## 已有的材料\n\n〔待写：已有的材料和不能漏的内容〕",
                     *         "intent": "audience: 独立开发者\nconstraints: \n  - 〔待写：篇幅、形式、语气、期限〕\n  - 不能漏：〔待写：已有的材料和不能漏的内容〕\ngoal: 让独立开发者弄懂定价，并且能够：〔待写：看完能做成什么〕\nproblem: 〔待写：他们卡在什么问题上〕\npromise: 〔待写：看完能做成什么〕\ns…"
                     *       },
                     *       "phases": [
                     *         {
                     *           "autonomy": "auto",
                     *           "confirmed": 3,
                     *           "draft": 0,
                     *           "empty": 0,
                     *           "is_done": true,
                     *           "kind": "interview",
                     *           "name": "intent",
                     *           "stale": 0,
                     *           "title": "意图分析"
                     *         },
                     *         {
                     *           "autonomy": "auto",
                     *           "confirmed": 1,
                     *           "draft": 0,
                     *           "empty": 0,
                     *           "is_done": true,
                     *           "kind": "research",
                     *           "name": "research",
                     *           "stale": 0,
                     *           "title": "消费者调研"
                     *         }
                     *       ],
                     *       "project": "p-course",
                     *       "run": [
                     *         "r-2b9tvsct",
                     *         "done"
                     *       ],
                     *       "template": "course",
                     *       "title": "为独立开发者写一门关于定价的短课程",
                     *       "turn": null
                     *     }
                     */
                    "application/json": components["schemas"]["ProductionView"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_list_fields: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "depends_on": [],
                     *             "guidance": "",
                     *             "is_confirmed": false,
                     *             "is_content": false,
                     *             "made_from": {},
                     *             "path": "intent/goal",
                     *             "phase": "intent",
                     *             "schema": null,
                     *             "title": "目标",
                     *             "value": "学会定价",
                     *             "version": 1
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 28
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Field"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_field: {
        parameters: {
            query?: {
                /**
                 * @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance.
                 * @example 0
                 */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The path of the field; its slashes are escaped. */
                path: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "path": "intent/audience",
                 *       "phase": "intent",
                 *       "title": "读者",
                 *       "value": "独立开发者",
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["Field"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": null,
                     *       "version": 32
                     *     }
                     */
                    "application/json": {
                        data: null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_field: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The path of the field; its slashes are escaped. */
                path: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": null,
                     *       "version": 33
                     *     }
                     */
                    "application/json": {
                        data: null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_phases: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "channels": [],
                     *         "criteria": [],
                     *         "current_phase": "intent",
                     *         "phases": [
                     *           {
                     *             "autonomy": "wait",
                     *             "is_done": false,
                     *             "kind": "make",
                     *             "name": "intent",
                     *             "title": "意图"
                     *           }
                     *         ],
                     *         "template": "course"
                     *       },
                     *       "version": 28
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Production"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_phases: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "current_phase": "",
                 *       "phases": [
                 *         {
                 *           "is_done": true,
                 *           "name": "intent",
                 *           "title": "意图"
                 *         }
                 *       ],
                 *       "template": "course"
                 *     }
                 */
                "application/json": components["schemas"]["Production"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": null,
                     *       "version": 31
                     *     }
                     */
                    "application/json": {
                        data: null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_phases: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": null,
                     *       "version": 34
                     *     }
                     */
                    "application/json": {
                        data: null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_list_promise: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "advanced": [],
                     *             "description": "",
                     *             "due": null,
                     *             "id": "promise-1",
                     *             "importance": 0,
                     *             "name": "谁寄的信",
                     *             "paid": [],
                     *             "planted": [
                     *               "第一章 来信"
                     *             ]
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 23
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Promise"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_promise: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "海图上的记号",
                 *       "planted": [
                 *         "第二章 海图"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Promise"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "advanced": [],
                     *         "description": "",
                     *         "due": null,
                     *         "id": "promise-2",
                     *         "importance": 0,
                     *         "name": "海图上的记号",
                     *         "paid": [],
                     *         "planted": [
                     *           "第二章 海图"
                     *         ]
                     *       },
                     *       "version": 24
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Promise"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "advanced": [],
                     *         "description": "",
                     *         "due": null,
                     *         "id": "promise-2",
                     *         "importance": 0,
                     *         "name": "海图上的记号",
                     *         "paid": [],
                     *         "planted": [
                     *           "第二章 海图"
                     *         ]
                     *       },
                     *       "version": 24
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Promise"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_promise: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "advanced": [],
                     *         "description": "",
                     *         "due": null,
                     *         "id": "promise-1",
                     *         "importance": 0,
                     *         "name": "谁寄的信",
                     *         "paid": [],
                     *         "planted": [
                     *           "第一章 来信"
                     *         ]
                     *       },
                     *       "version": 24
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Promise"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_promise: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "paid": [
                 *         "第二章 海图"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Promise"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "advanced": [],
                     *         "description": "",
                     *         "due": null,
                     *         "id": "promise-1",
                     *         "importance": 0,
                     *         "name": "谁寄的信",
                     *         "paid": [
                     *           "第二章 海图"
                     *         ],
                     *         "planted": [
                     *           "第一章 来信"
                     *         ]
                     *       },
                     *       "version": 25
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Promise"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_promise: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "advanced": [],
                     *         "description": "",
                     *         "due": null,
                     *         "id": "promise-2",
                     *         "importance": 0,
                     *         "name": "海图上的记号",
                     *         "paid": [],
                     *         "planted": [
                     *           "第二章 海图"
                     *         ]
                     *       },
                     *       "version": 47
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Promise"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_provenance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The kind of the piece, such as `character`. */
                kind: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "at": "2026-11-23T08:30:00Z",
                     *         "provenance": {
                     *           "agent": "person",
                     *           "model": null,
                     *           "note": "",
                     *           "prompt_hash": null,
                     *           "run": null,
                     *           "tool": "character_tool"
                     *         },
                     *         "version": 3
                     *       },
                     *       "version": 26
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PieceMade"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    reconcile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apply": "show",
                 *       "chapters": [
                 *         2
                 *       ],
                 *       "reading": "rules"
                 *     }
                 */
                "application/json": {
                    /** @description Whether what was worked out is saved. */
                    apply: components["schemas"]["Apply"];
                    /**
                     * @description Only these chapters; all without any.
                     * @default []
                     */
                    chapters?: number[];
                    /** @description How chapters are read. */
                    reading: components["schemas"]["Reading"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "change": null,
                     *       "changed": [],
                     *       "chapters": 1,
                     *       "created": [],
                     *       "is_pending": false,
                     *       "kept": [],
                     *       "questions": [],
                     *       "readings": [
                     *         {
                     *           "chapter": 1,
                     *           "document": "d-1",
                     *           "state": "unread",
                     *           "title": "第一章 来信",
                     *           "version": 0
                     *         },
                     *         {
                     *           "chapter": 2,
                     *           "document": "d-2",
                     *           "state": "unread",
                     *           "title": "第二章 雾",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "rejected": [],
                     *       "removed": []
                     *     }
                     */
                    "application/json": components["schemas"]["Reconciled"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_list_relation: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "description": "",
                     *             "from": "林青",
                     *             "id": "r-1",
                     *             "since": null,
                     *             "strength": 0.6,
                     *             "to": "韩铁",
                     *             "type": "friend",
                     *             "until": null
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 3
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["CharacterRelation"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_relation: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "from": "苏曼",
                 *       "strength": 0.4,
                 *       "to": "林青",
                 *       "type": "rival"
                 *     }
                 */
                "application/json": components["schemas"]["CharacterRelation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "from": "苏曼",
                     *         "id": "r-2",
                     *         "since": null,
                     *         "strength": 0.4,
                     *         "to": "林青",
                     *         "type": "rival",
                     *         "until": null
                     *       },
                     *       "version": 4
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CharacterRelation"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "from": "苏曼",
                     *         "id": "r-2",
                     *         "since": null,
                     *         "strength": 0.4,
                     *         "to": "林青",
                     *         "type": "rival",
                     *         "until": null
                     *       },
                     *       "version": 4
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CharacterRelation"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_relation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "from": "林青",
                     *         "id": "r-1",
                     *         "since": null,
                     *         "strength": 0.6,
                     *         "to": "韩铁",
                     *         "type": "friend",
                     *         "until": null
                     *       },
                     *       "version": 4
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CharacterRelation"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_relation: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "strength": 0.8
                 *     }
                 */
                "application/json": components["schemas"]["CharacterRelation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "from": "林青",
                     *         "id": "r-1",
                     *         "since": null,
                     *         "strength": 0.8,
                     *         "to": "韩铁",
                     *         "type": "friend",
                     *         "until": null
                     *       },
                     *       "version": 5
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CharacterRelation"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_relation: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "description": "",
                     *         "from": "苏曼",
                     *         "id": "r-2",
                     *         "since": null,
                     *         "strength": 0.4,
                     *         "to": "林青",
                     *         "type": "rival",
                     *         "until": null
                     *       },
                     *       "version": 37
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CharacterRelation"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_analyze_relationships: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description Only what holds at this outline node. */
                    at?: string | null;
                    /** @description The most characters and relations that are given. */
                    limit?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "characters": [
                     *           {
                     *             "betweenness": 1,
                     *             "community": 0,
                     *             "degree": 2,
                     *             "id": "c-1",
                     *             "in_degree": 1,
                     *             "name": "林青",
                     *             "out_degree": 1,
                     *             "pagerank": 0.486486,
                     *             "strength": 1.2
                     *           },
                     *           {
                     *             "betweenness": 0,
                     *             "community": 0,
                     *             "degree": 1,
                     *             "id": "c-2",
                     *             "in_degree": 1,
                     *             "name": "韩铁",
                     *             "out_degree": 0,
                     *             "pagerank": 0.325676,
                     *             "strength": 0.8
                     *           }
                     *         ],
                     *         "communities": [
                     *           {
                     *             "cohesion": 1,
                     *             "community": 0,
                     *             "members": [
                     *               "林青",
                     *               "韩铁"
                     *             ]
                     *           }
                     *         ],
                     *         "components": [
                     *           [
                     *             "林青",
                     *             "韩铁"
                     *           ]
                     *         ],
                     *         "hostile": [
                     *           {
                     *             "from": "苏曼",
                     *             "strength": 0.4,
                     *             "to": "林青",
                     *             "type": "rival"
                     *           }
                     *         ],
                     *         "isolated": [],
                     *         "left_out": 0,
                     *         "modularity": 0,
                     *         "relations": 2
                     *       },
                     *       "version": 26
                     *     }
                     */
                    "application/json": {
                        /** @description What the tool of that name answers; see the list of tools. */
                        data: Record<string, never>;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_relationships: {
        parameters: {
            query?: {
                /** @description Only what holds at this outline node. */
                at?: string;
                /**
                 * @description The most characters and relations that are given.
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "characters": 3,
                     *         "edges": [
                     *           {
                     *             "description": "",
                     *             "from": "林青",
                     *             "id": "r-1",
                     *             "since": null,
                     *             "strength": 0.8,
                     *             "to": "韩铁",
                     *             "type": "friend",
                     *             "until": null
                     *           },
                     *           {
                     *             "description": "",
                     *             "from": "苏曼",
                     *             "id": "r-2",
                     *             "since": null,
                     *             "strength": 0.4,
                     *             "to": "林青",
                     *             "type": "rival",
                     *             "until": null
                     *           }
                     *         ],
                     *         "nodes": [
                     *           {
                     *             "id": "c-1",
                     *             "name": "林青",
                     *             "role_type": "protagonist"
                     *           },
                     *           {
                     *             "id": "c-2",
                     *             "name": "韩铁",
                     *             "role_type": "supporting"
                     *           }
                     *         ],
                     *         "relations": 2,
                     *         "unknown_names": []
                     *       },
                     *       "version": 26
                     *     }
                     */
                    "application/json": {
                        /** @description What the tool of that name answers; see the list of tools. */
                        data: Record<string, never>;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    review_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "chapter": "第一章 来信",
                 *       "options": {
                 *         "language": "zh"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description One chapter; all without it.
                     * @default null
                     */
                    chapter?: string | null;
                    /**
                     * @description How.
                     * @default {
                     *       "against": [],
                     *       "language": "zh",
                     *       "level": null,
                     *       "platform": "general"
                     *     }
                     */
                    options?: components["schemas"]["ReviewOptions"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reviews": [
                     *         {
                     *           "document": "d-1",
                     *           "review": {
                     *             "compliance": [
                     *               {
                     *                 "advice": "补足 116 字，或并入相邻的一章",
                     *                 "code": "QC102",
                     *                 "severity": "high",
                     *                 "span": null,
                     *                 "text": "",
                     *                 "title": "只有 84 字，通用至少要 200 字",
                     *                 "values": {
                     *                   "least": "200",
                     *                   "length": "84",
                     *                   "missing": "116",
                     *                   "platform": "通用",
                     *                   "text": ""
                     *                 }
                     *               }
                     *             ],
                     *             "counts": {
                     *               "high": 1
                     *             },
                     *             "length": 84,
                     *             "level": "standard",
                     *             "originality": {
                     *               "compared": 0,
                     *               "copied": 0,
                     *               "length": 84,
                     *               "passages": [],
                     *               "severity": null,
                     *               "share": 0,
                     *               "sources": []
                     *             },
                     *             "platform": "general",
                     *             "platform_title": "通用",
                     *             "sensitive": [],
                     *             "verdict": "failed"
                     *           },
                     *           "title": "第一章 来信"
                     *         }
                     *       ],
                     *       "verdict": "failed"
                     *     }
                     */
                    "application/json": components["schemas"]["Reviews"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    search_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": {
                 *         "kinds": [
                 *           "chapter"
                 *         ],
                 *         "limit": 3,
                 *         "text": "谁在礁石那边"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description What is searched for. */
                    request: components["schemas"]["SearchRequest"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "embedding": null,
                     *       "hits": [
                     *         {
                     *           "chunk": {
                     *             "fields": {
                     *               "chapter": [
                     *                 2
                     *               ],
                     *               "doc_type": [
                     *                 "document"
                     *               ],
                     *               "id": [
                     *                 "d-2"
                     *               ],
                     *               "name": [
                     *                 "第二章 雾"
                     *               ],
                     *               "participants": [
                     *                 "林青",
                     *                 "李四"
                     *               ],
                     *               "scene": [
                     *                 1
                     *               ]
                     *             },
                     *             "heading": "第二章 雾 · 林青 · 李四",
                     *             "part": 0,
                     *             "range": {
                     *               "end": 197,
                     *               "start": 0
                     *             },
                     *             "source": {
                     *               "id": "d-2",
                     *               "kind": "document"
                     *             },
                     *             "text": "七月十五，海上起了雾。林青守着没有点的灯，听见雾里有船的钟声。\n\n李四划着小船去了礁石那边，天亮时还没有回来。\n\n林青在日出前点亮了灯。\n",
                     *             "version": 1
                     *           },
                     *           "emphasis": 1,
                     *           "keyword": {
                     *             "rank": 1,
                     *             "score": 3.1901349462882655,
                     *             "terms": [
                     *               {
                     *                 "score": 1.0633783154294218,
                     *                 "term": "石那"
                     *               },
                     *               {
                     *                 "score": 1.0633783154294218,
                     *                 "term": "礁石"
                     *               }
                     *             ]
                     *           },
                     *           "score": 0.02459016393442623,
                     *           "vector": {
                     *             "rank": 1,
                     *             "score": 0.25788965821266174,
                     *             "terms": []
                     *           }
                     *         },
                     *         {
                     *           "chunk": {
                     *             "fields": {
                     *               "chapter": [
                     *                 1
                     *               ],
                     *               "doc_type": [
                     *                 "document"
                     *               ],
                     *               "id": [
                     *                 "d-1"
                     *               ],
                     *               "name": [
                     *                 "第一章 来信"
                     *               ],
                     *               "participants": [
                     *                 "林青",
                     *                 "李四"
                     *               ],
                     *               "scene": [
                     *                 1
                     *               ]
                     *             },
                     *             "heading": "第一章 来信 · 林青 · 李四",
                     *             "part": 0,
                     *             "range": {
                     *               "end": 296,
                     *               "start": 0
                     *             },
                     *             "source": {
                     *               "id": "d-1",
                     *               "kind": "document"
                     *             },
                     *             "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n",
                     *             "version": 0
                     *           },
                     *           "emphasis": 1,
                     *           "keyword": null,
                     *           "score": 0.008064516129032258,
                     *           "vector": {
                     *             "rank": 2,
                     *             "score": 0.09746427088975906,
                     *             "terms": []
                     *           }
                     *         }
                     *       ],
                     *       "names": [],
                     *       "pattern": null,
                     *       "reranked": null,
                     *       "text": "谁在礁石那边",
                     *       "vectors": "lexical-hash-1024"
                     *     }
                     */
                    "application/json": components["schemas"]["Searched"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_list_fact: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "by": null,
                     *             "from": "",
                     *             "id": "f-1",
                     *             "known_by": [],
                     *             "mode": "narrated",
                     *             "object": "旧信",
                     *             "predicate": "持有",
                     *             "source": null,
                     *             "subject": "林青",
                     *             "unit": "",
                     *             "until": "",
                     *             "value": null
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 21
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Fact"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_fact: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "object": "海图",
                 *       "predicate": "持有",
                 *       "subject": "韩铁"
                 *     }
                 */
                "application/json": components["schemas"]["Fact"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "by": null,
                     *         "from": "",
                     *         "id": "f-2",
                     *         "known_by": [],
                     *         "mode": "narrated",
                     *         "object": "海图",
                     *         "predicate": "持有",
                     *         "source": null,
                     *         "subject": "韩铁",
                     *         "unit": "",
                     *         "until": "",
                     *         "value": null
                     *       },
                     *       "version": 22
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Fact"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "by": null,
                     *         "from": "",
                     *         "id": "f-2",
                     *         "known_by": [],
                     *         "mode": "narrated",
                     *         "object": "海图",
                     *         "predicate": "持有",
                     *         "source": null,
                     *         "subject": "韩铁",
                     *         "unit": "",
                     *         "until": "",
                     *         "value": null
                     *       },
                     *       "version": 22
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Fact"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_fact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "by": null,
                     *         "from": "",
                     *         "id": "f-1",
                     *         "known_by": [],
                     *         "mode": "narrated",
                     *         "object": "旧信",
                     *         "predicate": "持有",
                     *         "source": null,
                     *         "subject": "林青",
                     *         "unit": "",
                     *         "until": "",
                     *         "value": null
                     *       },
                     *       "version": 22
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Fact"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_fact: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "object": "海图"
                 *     }
                 */
                "application/json": components["schemas"]["Fact"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "by": null,
                     *         "from": "",
                     *         "id": "f-1",
                     *         "known_by": [],
                     *         "mode": "narrated",
                     *         "object": "海图",
                     *         "predicate": "持有",
                     *         "source": null,
                     *         "subject": "林青",
                     *         "unit": "",
                     *         "until": "",
                     *         "value": null
                     *       },
                     *       "version": 23
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Fact"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_fact: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "by": null,
                     *         "from": "",
                     *         "id": "f-2",
                     *         "known_by": [],
                     *         "mode": "narrated",
                     *         "object": "海图",
                     *         "predicate": "持有",
                     *         "source": null,
                     *         "subject": "韩铁",
                     *         "unit": "",
                     *         "until": "",
                     *         "value": null
                     *       },
                     *       "version": 46
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Fact"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    read_story: {
        parameters: {
            query?: {
                /** @description The change; the newest without it. */
                change?: number | null;
            };
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "character_relations": [],
                     *       "characters": [
                     *         {
                     *           "age": null,
                     *           "alias": [],
                     *           "arc": "",
                     *           "background": "",
                     *           "birth": null,
                     *           "conflicts": "",
                     *           "death": null,
                     *           "goals": "",
                     *           "id": "c-1",
                     *           "name": "林青",
                     *           "occupation": "",
                     *           "personality": "",
                     *           "role_type": "protagonist",
                     *           "traits": [],
                     *           "weakness": ""
                     *         },
                     *         {
                     *           "age": null,
                     *           "alias": [],
                     *           "arc": "",
                     *           "background": "",
                     *           "birth": null,
                     *           "conflicts": "",
                     *           "death": null,
                     *           "goals": "",
                     *           "id": "c-2",
                     *           "name": "李四",
                     *           "occupation": "",
                     *           "personality": "",
                     *           "role_type": "supporting",
                     *           "traits": [],
                     *           "weakness": ""
                     *         }
                     *       ],
                     *       "documents": [
                     *         {
                     *           "id": "d-1",
                     *           "order": 1,
                     *           "outline_node": null,
                     *           "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n",
                     *           "title": "第一章 来信",
                     *           "version": 0
                     *         },
                     *         {
                     *           "id": "d-2",
                     *           "order": 2,
                     *           "outline_node": null,
                     *           "text": "七月十五，海上起了雾。林青守着没有点的灯，听见雾里有船的钟声。\n\n李四划着小船去了礁石那边，天亮时还没有回来。\n",
                     *           "title": "第二章 雾",
                     *           "version": 0
                     *         }
                     *       ],
                     *       "facts": [
                     *         {
                     *           "by": null,
                     *           "from": "",
                     *           "id": "f-1",
                     *           "known_by": [],
                     *           "mode": "narrated",
                     *           "object": null,
                     *           "predicate": "年龄",
                     *           "source": null,
                     *           "subject": "林青",
                     *           "unit": "岁",
                     *           "until": "",
                     *           "value": 52
                     *         }
                     *       ],
                     *       "language": "zh",
                     *       "last_ids": {
                     *         "c": 2,
                     *         "d": 2,
                     *         "f": 1,
                     *         "o": 2
                     *       },
                     *       "outline_nodes": [
                     *         {
                     *           "description": "",
                     *           "goal": "",
                     *           "id": "o-1",
                     *           "kind": "chapter",
                     *           "location": null,
                     *           "name": "第一章 来信",
                     *           "order": 1,
                     *           "parent": null,
                     *           "participants": [
                     *             "林青",
                     *             "李四"
                     *           ],
                     *           "pays": [],
                     *           "plants": [],
                     *           "words": null
                     *         },
                     *         {
                     *           "description": "",
                     *           "goal": "",
                     *           "id": "o-2",
                     *           "kind": "chapter",
                     *           "location": null,
                     *           "name": "第二章 雾",
                     *           "order": 2,
                     *           "parent": null,
                     *           "participants": [
                     *             "林青"
                     *           ],
                     *           "pays": [],
                     *           "plants": [],
                     *           "words": null
                     *         }
                     *       ],
                     *       "plot_nodes": [],
                     *       "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *       "style": null,
                     *       "timeline_events": [],
                     *       "worldview": null
                     *     }
                     */
                    "application/json": components["schemas"]["Story"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_read_style: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "dialogue": "",
                     *         "guidelines": [],
                     *         "point_of_view": "",
                     *         "rhythm": "",
                     *         "taboos": [],
                     *         "tense": "",
                     *         "tone": "克制"
                     *       },
                     *       "version": 27
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StyleGuide"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_style: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "point_of_view": "third_limited"
                 *     }
                 */
                "application/json": components["schemas"]["StyleGuide"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "dialogue": "",
                     *         "guidelines": [],
                     *         "point_of_view": "third_limited",
                     *         "rhythm": "",
                     *         "taboos": [],
                     *         "tense": "",
                     *         "tone": "克制"
                     *       },
                     *       "version": 28
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StyleGuide"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_style: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "dialogue": "",
                     *         "guidelines": [],
                     *         "point_of_view": "third_limited",
                     *         "rhythm": "",
                     *         "taboos": [],
                     *         "tense": "",
                     *         "tone": "克制"
                     *       },
                     *       "version": 48
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StyleGuide"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    find_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "language": "zh",
                     *       "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *       "project": "p-lighthouse",
                     *       "title": "守灯人",
                     *       "updated": "2026-11-23T08:30:00Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_list_event: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "after": [],
                     *             "deaths": [],
                     *             "description": "",
                     *             "duration": "",
                     *             "id": "e-1",
                     *             "importance": 0,
                     *             "location": null,
                     *             "mode": "narrated",
                     *             "outline_node": "o-1",
                     *             "participants": [
                     *               "林青"
                     *             ],
                     *             "timestamp": "第3天",
                     *             "title": "信到了"
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 7
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["TimelineEvent"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_list_told_events: {
        parameters: {
            query?: {
                /**
                 * @description Only events that this outline node, or one in it, tells: its id or name.
                 * @example o-1
                 */
                chapterRef?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "after": [],
                     *             "deaths": [],
                     *             "description": "",
                     *             "duration": "",
                     *             "id": "e-1",
                     *             "importance": 0,
                     *             "location": "灯塔",
                     *             "mode": "narrated",
                     *             "outline_node": "o-1",
                     *             "participants": [
                     *               "林青"
                     *             ],
                     *             "timestamp": "第3天",
                     *             "title": "信到了"
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 26
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["TimelineEvent"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_check_timeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "participant": "林青"
                 *     }
                 */
                "application/json": {
                    outline_node?: string | null;
                    participant?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "checked_events": 2,
                     *         "conflicts": [],
                     *         "rules": [
                     *           "QY201",
                     *           "QY202"
                     *         ]
                     *       },
                     *       "version": 26
                     *     }
                     */
                    "application/json": {
                        /** @description What the tool of that name answers; see the list of tools. */
                        data: Record<string, never>;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_event: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "韩铁带他出海",
                 *       "participants": [
                 *         "林青",
                 *         "韩铁"
                 *       ],
                 *       "timestamp": "第4天",
                 *       "title": "出海"
                 *     }
                 */
                "application/json": components["schemas"]["TimelineEvent"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "after": [],
                     *         "deaths": [],
                     *         "description": "韩铁带他出海",
                     *         "duration": "",
                     *         "id": "e-2",
                     *         "importance": 0,
                     *         "location": null,
                     *         "mode": "narrated",
                     *         "outline_node": null,
                     *         "participants": [
                     *           "林青",
                     *           "韩铁"
                     *         ],
                     *         "timestamp": "第4天",
                     *         "title": "出海"
                     *       },
                     *       "version": 8
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineEvent"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "after": [],
                     *         "deaths": [],
                     *         "description": "韩铁带他出海",
                     *         "duration": "",
                     *         "id": "e-2",
                     *         "importance": 0,
                     *         "location": null,
                     *         "mode": "narrated",
                     *         "outline_node": null,
                     *         "participants": [
                     *           "林青",
                     *           "韩铁"
                     *         ],
                     *         "timestamp": "第4天",
                     *         "title": "出海"
                     *       },
                     *       "version": 8
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineEvent"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_event: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "after": [],
                     *         "deaths": [],
                     *         "description": "",
                     *         "duration": "",
                     *         "id": "e-1",
                     *         "importance": 0,
                     *         "location": null,
                     *         "mode": "narrated",
                     *         "outline_node": "o-1",
                     *         "participants": [
                     *           "林青"
                     *         ],
                     *         "timestamp": "第3天",
                     *         "title": "信到了"
                     *       },
                     *       "version": 8
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineEvent"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_event: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "location": "灯塔"
                 *     }
                 */
                "application/json": components["schemas"]["TimelineEvent"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "after": [],
                     *         "deaths": [],
                     *         "description": "",
                     *         "duration": "",
                     *         "id": "e-1",
                     *         "importance": 0,
                     *         "location": "灯塔",
                     *         "mode": "narrated",
                     *         "outline_node": "o-1",
                     *         "participants": [
                     *           "林青"
                     *         ],
                     *         "timestamp": "第3天",
                     *         "title": "信到了"
                     *       },
                     *       "version": 9
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineEvent"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_event: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "after": [],
                     *         "deaths": [],
                     *         "description": "韩铁带他出海",
                     *         "duration": "",
                     *         "id": "e-2",
                     *         "importance": 0,
                     *         "location": null,
                     *         "mode": "narrated",
                     *         "outline_node": null,
                     *         "participants": [
                     *           "林青",
                     *           "韩铁"
                     *         ],
                     *         "timestamp": "第4天",
                     *         "title": "出海"
                     *       },
                     *       "version": 39
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineEvent"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    call_tool: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
                /**
                 * @description The tool.
                 * @example character_tool
                 */
                tool: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "arguments": {
                 *         "action": "list"
                 *       },
                 *       "language": "zh"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Its arguments.
                     * @default null
                     */
                    arguments?: unknown;
                    /**
                     * @description The language it answers in.
                     * @default zh
                     */
                    language?: components["schemas"]["Language"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "result": {
                     *         "characters": [
                     *           {
                     *             "alias": [],
                     *             "goals": "",
                     *             "id": "c-1",
                     *             "name": "林青",
                     *             "occupation": "",
                     *             "role_type": "protagonist"
                     *           },
                     *           {
                     *             "alias": [],
                     *             "goals": "",
                     *             "id": "c-2",
                     *             "name": "李四",
                     *             "occupation": "",
                     *             "role_type": "supporting"
                     *           }
                     *         ],
                     *         "total": 2,
                     *         "version": 4
                     *       }
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    show_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project.
                 * @example p-lighthouse
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chapters": [
                     *         {
                     *           "chapter": 1,
                     *           "document": "d-1",
                     *           "state": "unread",
                     *           "title": "第一章 来信",
                     *           "version": 0
                     *         },
                     *         {
                     *           "chapter": 2,
                     *           "document": "d-2",
                     *           "state": "unread",
                     *           "title": "第二章 雾",
                     *           "version": 0
                     *         }
                     *       ],
                     *       "project": {
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "language": "zh",
                     *         "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "project": "p-lighthouse",
                     *         "title": "守灯人",
                     *         "unread": 2,
                     *         "updated": "2026-11-23T08:30:00Z",
                     *         "version": 1
                     *       },
                     *       "provenance": [
                     *         {
                     *           "agent": "person",
                     *           "at": "2026-11-23T08:30:00Z",
                     *           "id": "c-1",
                     *           "kind": "character",
                     *           "model": null,
                     *           "name": "林青",
                     *           "prompt_hash": null,
                     *           "run": "import",
                     *           "tokens": 0
                     *         },
                     *         {
                     *           "agent": "person",
                     *           "at": "2026-11-23T08:30:00Z",
                     *           "id": "c-2",
                     *           "kind": "character",
                     *           "model": null,
                     *           "name": "李四",
                     *           "prompt_hash": null,
                     *           "run": "import",
                     *           "tokens": 0
                     *         }
                     *       ],
                     *       "question": null,
                     *       "reasoning": [],
                     *       "report": null,
                     *       "runs": [],
                     *       "story": {
                     *         "character_relations": [],
                     *         "characters": [
                     *           {
                     *             "age": null,
                     *             "alias": [],
                     *             "arc": "",
                     *             "background": "",
                     *             "birth": null,
                     *             "conflicts": "",
                     *             "death": null,
                     *             "goals": "",
                     *             "id": "c-1",
                     *             "name": "林青",
                     *             "occupation": "",
                     *             "personality": "",
                     *             "role_type": "protagonist",
                     *             "traits": [],
                     *             "weakness": ""
                     *           },
                     *           {
                     *             "age": null,
                     *             "alias": [],
                     *             "arc": "",
                     *             "background": "",
                     *             "birth": null,
                     *             "conflicts": "",
                     *             "death": null,
                     *             "goals": "",
                     *             "id": "c-2",
                     *             "name": "李四",
                     *             "occupation": "",
                     *             "personality": "",
                     *             "role_type": "supporting",
                     *             "traits": [],
                     *             "weakness": ""
                     *           }
                     *         ],
                     *         "documents": [
                     *           {
                     *             "id": "d-1",
                     *             "order": 1,
                     *             "outline_node": null,
                     *             "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n",
                     *             "title": "第一章 来信",
                     *             "version": 0
                     *           },
                     *           {
                     *             "id": "d-2",
                     *             "order": 2,
                     *             "outline_node": null,
                     *             "text": "七月十五，海上起了雾。林青守着没有点的灯，听见雾里有船的钟声。\n\n李四划着小船去了礁石那边，天亮时还没有回来。\n",
                     *             "title": "第二章 雾",
                     *             "version": 0
                     *           }
                     *         ],
                     *         "facts": [
                     *           {
                     *             "by": null,
                     *             "from": "",
                     *             "id": "f-1",
                     *             "known_by": [],
                     *             "mode": "narrated",
                     *             "object": null,
                     *             "predicate": "年龄",
                     *             "source": null,
                     *             "subject": "林青",
                     *             "unit": "岁",
                     *             "until": "",
                     *             "value": 52
                     *           }
                     *         ],
                     *         "language": "zh",
                     *         "last_ids": {
                     *           "c": 2,
                     *           "d": 2,
                     *           "f": 1,
                     *           "o": 2
                     *         },
                     *         "outline_nodes": [
                     *           {
                     *             "description": "",
                     *             "goal": "",
                     *             "id": "o-1",
                     *             "kind": "chapter",
                     *             "location": null,
                     *             "name": "第一章 来信",
                     *             "order": 1,
                     *             "parent": null,
                     *             "participants": [
                     *               "林青",
                     *               "李四"
                     *             ],
                     *             "pays": [],
                     *             "plants": [],
                     *             "words": null
                     *           },
                     *           {
                     *             "description": "",
                     *             "goal": "",
                     *             "id": "o-2",
                     *             "kind": "chapter",
                     *             "location": null,
                     *             "name": "第二章 雾",
                     *             "order": 2,
                     *             "parent": null,
                     *             "participants": [
                     *               "林青"
                     *             ],
                     *             "pays": [],
                     *             "plants": [],
                     *             "words": null
                     *           }
                     *         ],
                     *         "plot_nodes": [],
                     *         "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "style": null,
                     *         "timeline_events": [],
                     *         "worldview": null
                     *       },
                     *       "usage": {
                     *         "by_agent": {},
                     *         "cached": 0,
                     *         "calls": 0,
                     *         "cost": null,
                     *         "estimated": false,
                     *         "input": 0,
                     *         "output": 0,
                     *         "total": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectView"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    workspace_list_waivers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [],
                     *         "total": 0
                     *       },
                     *       "version": 28
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["Waiver"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_waivers: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "finding": "QS011",
                 *           "owner": "林",
                 *           "reason": "有意为之"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    items: components["schemas"]["Waiver"][];
                    total?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": null,
                     *       "version": 30
                     *     }
                     */
                    "application/json": {
                        data: null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_list_world_rule: {
        parameters: {
            query?: {
                /** @description Only these: ids or names, with commas between them. */
                ids?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "demands": null,
                     *             "forbids": null,
                     *             "id": "w-1",
                     *             "limit": "",
                     *             "name": "雾夜不出海",
                     *             "statement": ""
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "version": 17
                     *     }
                     */
                    "application/json": {
                        data: {
                            items: components["schemas"]["WorldRule"][];
                            total?: number;
                        };
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_add_world_rule: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "灯不能灭"
                 *     }
                 */
                "application/json": components["schemas"]["WorldRule"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "demands": null,
                     *         "forbids": null,
                     *         "id": "w-2",
                     *         "limit": "",
                     *         "name": "灯不能灭",
                     *         "statement": ""
                     *       },
                     *       "version": 18
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorldRule"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    /** @description The piece. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "demands": null,
                     *         "forbids": null,
                     *         "id": "w-2",
                     *         "limit": "",
                     *         "name": "灯不能灭",
                     *         "statement": ""
                     *       },
                     *       "version": 18
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorldRule"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_world_rule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "demands": null,
                     *         "forbids": null,
                     *         "id": "w-1",
                     *         "limit": "",
                     *         "name": "雾夜不出海",
                     *         "statement": ""
                     *       },
                     *       "version": 18
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorldRule"];
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_world_rule: {
        parameters: {
            query?: {
                /** @description Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance. */
                position?: number;
            };
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "statement": "雾夜里没有人出海"
                 *     }
                 */
                "application/json": components["schemas"]["WorldRule"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "demands": null,
                     *         "forbids": null,
                     *         "id": "w-1",
                     *         "limit": "",
                     *         "name": "雾夜不出海",
                     *         "statement": "雾夜里没有人出海"
                     *       },
                     *       "version": 19
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorldRule"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_world_rule: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The piece: its id or name. */
                id: string;
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "demands": null,
                     *         "forbids": null,
                     *         "id": "w-2",
                     *         "limit": "",
                     *         "name": "灯不能灭",
                     *         "statement": ""
                     *       },
                     *       "version": 44
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorldRule"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_read_worldview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "era": "1990年代",
                     *         "genre": "悬疑",
                     *         "summary": ""
                     *       },
                     *       "version": 26
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorldFrame"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_set_worldview: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "era": "1996年"
                 *     }
                 */
                "application/json": components["schemas"]["WorldFrame"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "era": "1996年",
                     *         "genre": "悬疑",
                     *         "summary": ""
                     *       },
                     *       "version": 27
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorldFrame"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    workspace_remove_worldview: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the change is named by: made again under that name, it changes nothing. */
                "Idempotency-Key"?: string;
                /** @description The version of the project that the change is made for, such as "7"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given. */
                "If-Match"?: string;
                /** @description JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then. */
                "X-Provenance"?: string;
            };
            path: {
                /** @description The project. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The version of the project. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "era": "1996年",
                     *         "genre": "悬疑",
                     *         "summary": ""
                     *       },
                     *       "version": 49
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorldFrame"] | null;
                        /** @description The version of the project. */
                        version: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            412: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            428: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            504: components["responses"]["Problem"];
        };
    };
    read_prompt: {
        parameters: {
            query: {
                /**
                 * @description Its name, such as `outline/generate.zh.md`.
                 * @example outline/generate.zh.md
                 */
                name: string;
                /**
                 * @description Filled with what this project has; with an example without it.
                 * @example p-lighthouse
                 */
                project?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent": "outline",
                     *       "built_in": "{% include \"shared/context.zh.md\" %}\n\n## 任务\n\n规划大纲。{{ task }}\n{% if has_earlier_work %}\n\n现有大纲会保留，只写要新增或改写的节点；新增节点的 `order` 接着现有的编号。\n{% endif %}\n\n写完后自查：`particip…",
                     *       "language": "zh",
                     *       "name": "outline/generate.zh.md",
                     *       "overridden": false,
                     *       "part": "generate",
                     *       "preview": {
                     *         "problem": null,
                     *         "text": "## 创作需求\n\n<requirement>\n一个灯塔看守人收到自己三十年前寄出的信\n</requirement>\n\n## 已有内容\n\n<material>\noutline_nodes: [{\"id\":\"o-1\",\"kind\":\"chapter\",\"name\":\"第一章 来信\",\"order\":1,\"particip…",
                     *         "tokens": 305
                     *       },
                     *       "problem": null,
                     *       "text": null,
                     *       "variables": [
                     *         "complexity",
                     *         "connections"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PromptView"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    write_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "outline/generate.zh.md",
                 *       "text": "为下面的需求规划三章大纲。\n\n{{ requirement | inert }}\n\n{{ task }}\n"
                 *     }
                 */
                "application/json": {
                    /** @description Its name, such as `outline/generate.zh.md`. */
                    name: string;
                    /** @description The text. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent": "outline",
                     *       "language": "zh",
                     *       "name": "outline/generate.zh.md",
                     *       "overridden": true,
                     *       "part": "generate",
                     *       "problem": null
                     *     }
                     */
                    "application/json": components["schemas"]["PromptRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    delete_prompt: {
        parameters: {
            query: {
                /**
                 * @description Its name, such as `outline/generate.zh.md`.
                 * @example outline/generate.zh.md
                 */
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent": "outline",
                     *       "language": "zh",
                     *       "name": "outline/generate.zh.md",
                     *       "overridden": false,
                     *       "part": "generate",
                     *       "problem": null
                     *     }
                     */
                    "application/json": components["schemas"]["PromptRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    preview_prompt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "outline/generate.zh.md",
                 *       "project": "p-lighthouse",
                 *       "text": "为下面的需求规划三章大纲。\n\n{{ requirement | inert }}\n\n{{ task }}\n"
                 *     }
                 */
                "application/json": {
                    /** @description Its name, such as `outline/generate.zh.md`. */
                    name: string;
                    /**
                     * @description Filled with what this project has; with an example without it.
                     * @default null
                     */
                    project?: string | null;
                    /** @description The text. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "problem": null,
                     *       "text": "为下面的需求规划三章大纲。\n\n一个灯塔看守人收到自己三十年前寄出的信\n\n以那封信为主线",
                     *       "tokens": 41
                     *     }
                     */
                    "application/json": components["schemas"]["PromptPreview"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_prompts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "agent": "analysis",
                     *         "language": "zh",
                     *         "name": "analysis/judge.zh.md",
                     *         "overridden": false,
                     *         "part": "judge",
                     *         "problem": null
                     *       },
                     *       {
                     *         "agent": "analysis",
                     *         "language": "en",
                     *         "name": "analysis/judge.en.md",
                     *         "overridden": false,
                     *         "part": "judge",
                     *         "problem": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PromptRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_rules: {
        parameters: {
            query?: {
                /**
                 * @description The language of their words.
                 * @example zh
                 */
                language?: components["schemas"]["Language"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "code": "QS011",
                     *         "explanation": "二十字（英文十四词）以上的句子，标点不论，在同一章或不同章里重复时报告。对话和引文重复两次不报，三次才报；章首与章尾的重复另有规则。本族规则只求好读：不判断文字出自谁手，也不用来躲避任何检测。",
                     *         "fires": {
                     *           "note": "两章里有同一句话",
                     *           "story": {
                     *             "documents": [
                     *               {
                     *                 "id": "d-1",
                     *                 "order": 1,
                     *                 "text": "雨下了一夜。他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个陌生人。谁也没有开口。",
                     *                 "title": "第一章"
                     *               },
                     *               {
                     *                 "id": "d-2",
                     *                 "order": 2,
                     *                 "text": "天亮时雨停了。他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个陌生人。那人先笑了。",
                     *                 "title": "第二章"
                     *               }
                     *             ]
                     *           }
                     *         },
                     *         "name": "同一个长句写了…遍",
                     *         "severity": "medium",
                     *         "spares": {
                     *           "note": "人物把信上的话念了一遍；短句重复",
                     *           "story": {
                     *             "documents": [
                     *               {
                     *                 "id": "d-1",
                     *                 "order": 1,
                     *                 "text": "雨下了一夜。他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个陌生人。谁也没有开口。",
                     *                 "title": "第一章"
                     *               },
                     *               {
                     *                 "id": "d-2",
                     *                 "order": 2,
                     *                 "text": "天亮时雨停了。“他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个陌生人。”他念着日记。谁也没有开口。",
                     *                 "title": "第二章"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       {
                     *         "code": "QS012",
                     *         "explanation": "二十字（英文十四词）以上的叙述句，若与别处的句子有六成以上的四字片段（英文四词片段）相同，就报告。相邻几句之间是排比，不报；对话不报。本族规则只求好读：不判断文字出自谁手，也不用来躲避任何检测。",
                     *         "fires": {
                     *           "note": "陌生人换成了老人",
                     *           "story": {
                     *             "documents": [
                     *               {
                     *                 "id": "d-1",
                     *                 "order": 1,
                     *                 "text": "雨下了一夜。他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个陌生人。谁也没有开口。",
                     *                 "title": "第一章"
                     *               },
                     *               {
                     *                 "id": "d-2",
                     *                 "order": 2,
                     *                 "text": "天亮时雨停了。他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个老人。那人先笑了。",
                     *                 "title": "第二章"
                     *               }
                     *             ]
                     *           }
                     *         },
                     *         "name": "…个长句几乎一样",
                     *         "severity": "low",
                     *         "spares": {
                     *           "note": "相邻的排比句",
                     *           "story": {
                     *             "documents": [
                     *               {
                     *                 "id": "d-1",
                     *                 "order": 1,
                     *                 "text": "雨下了一夜。他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个陌生人。他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个老人。谁也没有开口。",
                     *                 "title": "第一章"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RuleRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_runs: {
        parameters: {
            query?: {
                /** @description Only those that are listed after this run: the next page after the one it ends. */
                after?: string | null;
                /** @description The most. */
                limit?: number | null;
                /** @description Only those that are worked on or wait for somebody. */
                open?: boolean;
                /** @description Only those of this project: its id, the beginning of it, or one of its runs. */
                project?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "ended": "2026-11-23T08:30:00Z",
                     *         "model": "offline-rules-1",
                     *         "project": "p-letter",
                     *         "quality_score": 100,
                     *         "requirement": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "run": "r-lighthouse",
                     *         "started": "2026-11-23T08:30:00Z",
                     *         "status": "done",
                     *         "title": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "usage": {
                     *           "by_agent": {
                     *             "character_agent": 0,
                     *             "outline_agent": 0,
                     *             "planner_agent": 0,
                     *             "plot_agent": 0,
                     *             "review_agent": 0,
                     *             "style_agent": 0
                     *           },
                     *           "cached": 0,
                     *           "calls": 8,
                     *           "cost": {
                     *             "currency": "USD",
                     *             "micros": 0
                     *           },
                     *           "estimated": false,
                     *           "input": 0,
                     *           "output": 0,
                     *           "total": 0
                     *         }
                     *       },
                     *       {
                     *         "ended": "2026-11-23T08:30:00Z",
                     *         "model": "offline-rules-1",
                     *         "project": "p-course",
                     *         "quality_score": null,
                     *         "requirement": "为独立开发者写一门关于定价的短课程",
                     *         "run": "r-2b9tvsct",
                     *         "started": "2026-11-23T08:30:00Z",
                     *         "status": "done",
                     *         "title": "为独立开发者写一门关于定价的短课程",
                     *         "usage": {
                     *           "by_agent": {
                     *             "consumer_agent": 0,
                     *             "judge_agent": 0,
                     *             "production_agent": 0,
                     *             "research_agent": 0
                     *           },
                     *           "cached": 0,
                     *           "calls": 34,
                     *           "cost": {
                     *             "currency": "USD",
                     *             "micros": 0
                     *           },
                     *           "estimated": false,
                     *           "input": 0,
                     *           "output": 0,
                     *           "total": 0
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RunRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    start_run: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "start": {
                 *         "kind": "create",
                 *         "requirement": "一个灯塔看守人收到自己三十年前寄出的信"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description What it is to do. */
                    start: components["schemas"]["Start"];
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    /** @description The run. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "project": "p-letter",
                     *       "run": "r-lighthouse"
                     *     }
                     */
                    "application/json": components["schemas"]["Started"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example r-lighthouse
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [],
                     *       "made": {
                     *         "story": {
                     *           "diagnostic_report": {
                     *             "affected_agents": [],
                     *             "basis": {
                     *               "judge": "model",
                     *               "pieces": 53,
                     *               "rules": {
                     *                 "blind": [
                     *                   {
                     *                     "codes": [
                     *                       "QY106",
                     *                       "QY204"
                     *                     ],
                     *                     "missing": "location"
                     *                   },
                     *                   {
                     *                     "codes": [
                     *                       "QY108",
                     *                       "QY404"
                     *                     ],
                     *                     "missing": "item"
                     *                   }
                     *                 ],
                     *                 "clean": 112,
                     *                 "off": 0,
                     *                 "run": 112
                     *               },
                     *               "steps": [
                     *                 {
                     *                   "agent": "character_agent",
                     *                   "state": "done",
                     *                   "step": 1
                     *                 },
                     *                 {
                     *                   "agent": "outline_agent",
                     *                   "state": "done",
                     *                   "step": 2
                     *                 }
                     *               ]
                     *             },
                     *             "correction_instructions": [],
                     *             "correction_strategy": "none",
                     *             "issues": [],
                     *             "passed": true,
                     *             "quality_score": 100,
                     *             "reasoning_chain": [
                     *               "规则检查：共 112 条规则，112 条无问题，发现 0 处问题",
                     *               "算得出来的检查共12项，通过12项，分数＝通过的份额×100＝100。"
                     *             ],
                     *             "suggestions_for_improvement": [],
                     *             "wishes": []
                     *           },
                     *           "execution_plan": {
                     *             "critical_path": [
                     *               1,
                     *               2
                     *             ],
                     *             "parallelizable_steps": [
                     *               [
                     *                 1,
                     *                 4
                     *               ]
                     *             ],
                     *             "steps": [
                     *               {
                     *                 "agent": "character_agent",
                     *                 "dependencies": [],
                     *                 "estimated_tokens": 2600,
                     *                 "required_tools": [
                     *                   "CharacterTool",
                     *                   "RelationTool"
                     *                 ],
                     *                 "step_id": 1,
                     *                 "task_description": "设计主角（灯塔看守）与配角的人物卡和关系"
                     *               },
                     *               {
                     *                 "agent": "outline_agent",
                     *                 "dependencies": [
                     *                   1
                     *                 ],
                     *                 "estimated_tokens": 4400,
                     *                 "required_tools": [
                     *                   "OutlineTool"
                     *                 ],
                     *                 "step_id": 2,
                     *                 "task_description": "按「四季结构：春种、夏长、秋收、冬藏」排出章节大纲（人收到自己三十年前寄出的信），写明人物、目的与伏笔"
                     *               }
                     *             ],
                     *             "total_estimated_tokens": 14500
                     *           },
                     *           "is_approved": false,
                     *           "iteration_count": 1,
                     *           "requirement_analysis": {
                     *             "complexity": "medium",
                     *             "required_capabilities": [
                     *               "character",
                     *               "outline"
                     *             ],
                     *             "type": "new_creation"
                     *           },
                     *           "story": {
                     *             "character_relations": [
                     *               {
                     *                 "description": "韩执中处处管着邵峥，说的都对，所以更让人难受。",
                     *                 "from": "邵峥",
                     *                 "id": "r-1",
                     *                 "since": null,
                     *                 "strength": 0.9,
                     *                 "to": "韩执中",
                     *                 "type": "rival",
                     *                 "until": null
                     *               },
                     *               {
                     *                 "description": "韩执中处处管着邵峥，说的都对，所以更让人难受。",
                     *                 "from": "韩执中",
                     *                 "id": "r-2",
                     *                 "since": null,
                     *                 "strength": 0.9,
                     *                 "to": "邵峥",
                     *                 "type": "rival",
                     *                 "until": null
                     *               }
                     *             ],
                     *             "characters": [
                     *               {
                     *                 "age": 30,
                     *                 "alias": [],
                     *                 "arc": "从讨人喜欢到说真话。",
                     *                 "background": "邵峥做灯塔看守已有些年头。第一次说真话的时候，害得全家搬了三次家。不为人知的是：偷偷学着自己最看不起的那门手艺。",
                     *                 "birth": null,
                     *                 "conflicts": "想被所有人喜欢，就得对最要紧的那个人说谎。",
                     *                 "death": null,
                     *                 "goals": "把答应过的事做完，弄明白自己想成为什么样的人。",
                     *                 "id": "c-1",
                     *                 "name": "邵峥",
                     *                 "occupation": "灯塔看守",
                     *                 "personality": "左右逢源，偏偏过不了旧日情分这一关。看起来最好说话，其实从不改主意。",
                     *                 "role_type": "protagonist",
                     *                 "traits": [
                     *                   "圆滑",
                     *                   "念旧"
                     *                 ],
                     *                 "weakness": "一提旧情就心软，底线随之后退。"
                     *               },
                     *               {
                     *                 "age": 50,
                     *                 "alias": [],
                     *                 "arc": "从拦路到让路。",
                     *                 "background": "韩执中的身份是主任医师。年少时替人顶过罪，出来以后发现没有人记得。不为人知的是：病了很久，药快用完了。",
                     *                 "birth": null,
                     *                 "conflicts": "自己年轻时也守过同样的约定，没有守住。",
                     *                 "death": null,
                     *                 "goals": "让转角修理铺像规定的那样运转下去。",
                     *                 "id": "c-2",
                     *                 "name": "韩执中",
                     *                 "occupation": "主任医师",
                     *                 "personality": "凡事先想最坏的那一种，再决定迈哪只脚。从不许诺，答应了的却没有一件落空。",
                     *                 "role_type": "antagonist",
                     *                 "traits": [
                     *                   "冷静",
                     *                   "多疑"
                     *                 ],
                     *                 "weakness": "谁都不肯信到底，常常在最需要同伴的时候独自行动。"
                     *               }
                     *             ],
                     *             "language": "zh",
                     *             "last_ids": {
                     *               "c": 6,
                     *               "e": 13,
                     *               "o": 17,
                     *               "p": 6,
                     *               "r": 10
                     *             },
                     *             "outline_nodes": [
                     *               {
                     *                 "description": "邵峥遇见葛一鸣，许下一个约定。",
                     *                 "goal": "相识与约定",
                     *                 "id": "o-1",
                     *                 "kind": "act",
                     *                 "location": null,
                     *                 "name": "春",
                     *                 "order": 1,
                     *                 "parent": null,
                     *                 "participants": [
                     *                   "邵峥",
                     *                   "葛一鸣"
                     *                 ],
                     *                 "pays": [],
                     *                 "plants": [],
                     *                 "words": null
                     *               },
                     *               {
                     *                 "description": "灯塔看守邵峥刚到转角修理铺不久，替人代收了一封没有寄件人的信。退休会计葛一鸣凑过来看了一眼，说：一起吧。故事由此而起：邵峥人收到自己三十年前寄出的信。",
                     *                 "goal": "用一件小事结识；并把作者的设定交代清楚：「一个灯塔看守人收到自己三十年前寄出的信」",
                     *                 "id": "o-2",
                     *                 "kind": "chapter",
                     *                 "location": "转角修理铺",
                     *                 "name": "第一章 开始的那件小事",
                     *                 "order": 2,
                     *                 "parent": "春",
                     *                 "participants": [
                     *                   "邵峥",
                     *                   "葛一鸣"
                     *                 ],
                     *                 "pays": [],
                     *                 "plants": [],
                     *                 "words": 4000
                     *               }
                     *             ],
                     *             "plot_nodes": [
                     *               {
                     *                 "causes": [],
                     *                 "description": "故事由此发动。这一步要做到的是：用一件小事结识；并把作者的设定交代清楚：「一个灯塔看守人收到自己三十年前寄出的信」。",
                     *                 "events": [
                     *                   "开始的那件小事",
                     *                   "约定"
                     *                 ],
                     *                 "id": "p-1",
                     *                 "kind": "setup",
                     *                 "outline_node": "第一章 开始的那件小事",
                     *                 "title": "起因：开始的那件小事"
                     *               },
                     *               {
                     *                 "causes": [
                     *                   "起因：开始的那件小事"
                     *                 ],
                     *                 "description": "前面的选择招来了反弹，退路变窄。这一步要做到的是：给对手一段过去。",
                     *                 "events": [
                     *                   "值日",
                     *                   "传闻里的人"
                     *                 ],
                     *                 "id": "p-2",
                     *                 "kind": "conflict",
                     *                 "outline_node": "第四章 值日",
                     *                 "title": "交锋：值日"
                     *               }
                     *             ],
                     *             "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *             "style": {
                     *               "dialogue": "少年人的玩笑话里藏着不敢说的",
                     *               "guidelines": [
                     *                 "每章有一件可以摸到的旧物",
                     *                 "大人也有自己的难处"
                     *               ],
                     *               "point_of_view": "first",
                     *               "rhythm": "按季节走，小事写大，大事写小",
                     *               "taboos": [
                     *                 "不说教",
                     *                 "不用绝症收割眼泪"
                     *               ],
                     *               "tense": "",
                     *               "tone": "清澈，有一点好笑，一点难过"
                     *             },
                     *             "timeline_events": [
                     *               {
                     *                 "after": [],
                     *                 "deaths": [],
                     *                 "description": "灯塔看守邵峥刚到转角修理铺不久，替人代收了一封没有寄件人的信。",
                     *                 "duration": "",
                     *                 "id": "e-1",
                     *                 "importance": 8,
                     *                 "location": "转角修理铺",
                     *                 "mode": "narrated",
                     *                 "outline_node": "第一章 开始的那件小事",
                     *                 "participants": [
                     *                   "邵峥",
                     *                   "葛一鸣"
                     *                 ],
                     *                 "timestamp": "第1天清晨",
                     *                 "title": "开始的那件小事"
                     *               },
                     *               {
                     *                 "after": [
                     *                   "开始的那件小事"
                     *                 ],
                     *                 "deaths": [],
                     *                 "description": "邵峥和葛一鸣在春风路夜市说定：每个月替写信的人回一封，直到有人来取。",
                     *                 "duration": "",
                     *                 "id": "e-2",
                     *                 "importance": 5,
                     *                 "location": "春风路夜市",
                     *                 "mode": "narrated",
                     *                 "outline_node": "第二章 约定",
                     *                 "participants": [
                     *                   "邵峥",
                     *                   "葛一鸣"
                     *                 ],
                     *                 "timestamp": "第21天清晨",
                     *                 "title": "约定"
                     *               }
                     *             ],
                     *             "worldview": null
                     *           },
                     *           "tool_configuration": {
                     *             "context_mode": "auto",
                     *             "enable_knowledge_graph": false,
                     *             "enable_rag": false
                     *           }
                     *         }
                     *       },
                     *       "project": "p-letter",
                     *       "question": null,
                     *       "reasoning": [
                     *         "需求没有点明题材，先按「都市·成长」安排，可以改；需求原文：「一个灯塔看守人收到自己三十年前寄出的信」",
                     *         "背景是日常世界（都市），不另立世界观，直接定人物与大纲。"
                     *       ],
                     *       "run": "r-lighthouse",
                     *       "status": "done",
                     *       "usage": {
                     *         "by_agent": {
                     *           "character_agent": 0,
                     *           "outline_agent": 0,
                     *           "planner_agent": 0,
                     *           "plot_agent": 0,
                     *           "review_agent": 0,
                     *           "style_agent": 0
                     *         },
                     *         "cached": 0,
                     *         "calls": 8,
                     *         "cost": {
                     *           "currency": "USD",
                     *           "micros": 0
                     *         },
                     *         "estimated": false,
                     *         "input": 0,
                     *         "output": 0,
                     *         "total": 0
                     *       },
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The run.
                 * @example r-lighthouse
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "done"
                     *     }
                     */
                    "application/json": components["schemas"]["Stopped"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    watch_run: {
        parameters: {
            query?: {
                /** @description The number of the last event that is known. */
                after?: number;
            };
            header?: {
                /** @description The same, as browsers send it when they come again. */
                "Last-Event-ID"?: number;
            };
            path: {
                /** @description The run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. Those of the log have their number as `id`; streamed text has none. The last one is called `end`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description The event. */
                        data?: string;
                        /** @description `message`, or `end` for the last one. */
                        event?: string;
                        /** @description The number of an event of the log. */
                        id?: string;
                    };
                };
            };
            401: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
        };
    };
    read_events: {
        parameters: {
            query?: {
                /**
                 * @description The number of the last event that is known.
                 * @example 0
                 */
                after?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example r-lighthouse
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "at": "2026-11-23T08:30:00Z",
                     *         "data_folder": "/srv/qingyu",
                     *         "kind": "run_started",
                     *         "model": {
                     *           "model": "offline-rules-1",
                     *           "why": {
                     *             "layer": "flag",
                     *             "reason": "configured"
                     *           }
                     *         },
                     *         "project": "p-letter",
                     *         "requirement": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "resumed": false,
                     *         "roles": {},
                     *         "run": "r-lighthouse",
                     *         "seq": 1
                     *       },
                     *       {
                     *         "agent": "planner_agent",
                     *         "at": "2026-11-23T08:30:00Z",
                     *         "attempts": 1,
                     *         "cost_micros": 0,
                     *         "key": "planner_agent/0/plan.create",
                     *         "kind": "called",
                     *         "millis": 7,
                     *         "model": "offline-rules-1",
                     *         "project": "p-letter",
                     *         "purpose": "plan.create",
                     *         "repaired": false,
                     *         "reused": false,
                     *         "run": "r-lighthouse",
                     *         "seq": 2,
                     *         "usage": {
                     *           "cached": 0,
                     *           "estimated": false,
                     *           "input": 0,
                     *           "output": 0
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StudioEvent"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    find_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example r-lighthouse
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": "2026-11-23T08:30:00Z",
                     *       "model": "offline-rules-1",
                     *       "project": "p-letter",
                     *       "quality_score": 100,
                     *       "requirement": "一个灯塔看守人收到自己三十年前寄出的信",
                     *       "run": "r-lighthouse",
                     *       "started": "2026-11-23T08:30:00Z",
                     *       "status": "done",
                     *       "title": "一个灯塔看守人收到自己三十年前寄出的信",
                     *       "usage": {
                     *         "by_agent": {
                     *           "character_agent": 0,
                     *           "outline_agent": 0,
                     *           "planner_agent": 0,
                     *           "plot_agent": 0,
                     *           "review_agent": 0,
                     *           "style_agent": 0
                     *         },
                     *         "cached": 0,
                     *         "calls": 8,
                     *         "cost": {
                     *           "currency": "USD",
                     *           "micros": 0
                     *         },
                     *         "estimated": false,
                     *         "input": 0,
                     *         "output": 0,
                     *         "total": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RunRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    begin_sample: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "language": "zh"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The language.
                     * @default zh
                     */
                    language?: components["schemas"]["Language"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "language": "zh",
                     *       "premise": "写一部民国二十五年江边小镇的悬疑长篇：水位站新来的女观测员，从父亲五年前留下的水位记录里看出那次决堤的时刻对不上，而今年的水正一寸一寸涨回那个数。人物不超过七个，日期和水位要经得起核对，写十二章，每章两千字上下。",
                     *       "project": "p-sample",
                     *       "title": "尺素",
                     *       "updated": "2026-11-23T08:30:00Z",
                     *       "version": 17
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_settings: {
        parameters: {
            query?: {
                /** @description Those of a project. */
                project?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "key": "budget.free_models",
                     *         "layer": "default",
                     *         "source": null,
                     *         "value": false
                     *       },
                     *       {
                     *         "key": "cassettes.keep_days",
                     *         "layer": "default",
                     *         "source": null,
                     *         "value": 180
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SettingRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    set_setting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "mcp_servers.clock",
                 *       "value": {
                 *         "permission": "read",
                 *         "url": "http://127.0.0.1:9/mcp"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Its place in the file, such as `budget.tokens`. */
                    key: string;
                    /**
                     * @description For this project only.
                     * @default null
                     */
                    project?: string | null;
                    /** @description Its value. `"***"` in it keeps the secret that is there. */
                    value: unknown;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "mcp_servers.clock",
                     *       "layer": "user",
                     *       "restart": true,
                     *       "source": "/srv/qingyu/config.toml",
                     *       "value": {
                     *         "permission": "read",
                     *         "url": "http://127.0.0.1:9/mcp"
                     *       },
                     *       "written": "user"
                     *     }
                     */
                    "application/json": components["schemas"]["SettingChange"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    unset_setting: {
        parameters: {
            query: {
                /**
                 * @description Its place in the file, such as `budget.tokens`.
                 * @example mcp_servers.clock
                 */
                key: string;
                /** @description For this project only. */
                project?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "mcp_servers.clock",
                     *       "layer": null,
                     *       "restart": true,
                     *       "source": null,
                     *       "value": null,
                     *       "written": "user"
                     *     }
                     */
                    "application/json": components["schemas"]["SettingChange"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    check_mcp_server: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "clock"
                 *     }
                 */
                "application/json": {
                    /** @description Its name in the settings. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "problems": [
                     *         "the server 'clock' cannot be had: not available: the server 'clock' cannot be had: Send message error Transport [rmcp::transport::worker::WorkerTransport<rmcp:…"
                     *       ],
                     *       "server": "clock",
                     *       "tools": []
                     *     }
                     */
                    "application/json": components["schemas"]["ServerCheck"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    read_spending: {
        parameters: {
            query?: {
                /**
                 * @description By what it is told apart.
                 * @example agent
                 */
                by?: components["schemas"]["SpendingBy"];
                /**
                 * @description The project or run; all without it.
                 * @example p-lighthouse
                 */
                of?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "by": "agent",
                     *       "of": "p-lighthouse",
                     *       "rows": [],
                     *       "today": {
                     *         "attempts": 42,
                     *         "cached": 0,
                     *         "calls": 42,
                     *         "costs": [],
                     *         "estimated": false,
                     *         "input": 0,
                     *         "key": "",
                     *         "output": 0,
                     *         "replayed": 0,
                     *         "unpriced": 0
                     *       },
                     *       "total": {
                     *         "attempts": 0,
                     *         "cached": 0,
                     *         "calls": 0,
                     *         "costs": [],
                     *         "estimated": false,
                     *         "input": 0,
                     *         "key": "",
                     *         "output": 0,
                     *         "replayed": 0,
                     *         "unpriced": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SpendingReport"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    import_story: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": {
                 *         "story": {
                 *           "characters": [
                 *             {
                 *               "name": "林青",
                 *               "role_type": "protagonist"
                 *             },
                 *             {
                 *               "name": "李四"
                 *             }
                 *           ],
                 *           "documents": [
                 *             {
                 *               "order": 1,
                 *               "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n",
                 *               "title": "第一章 来信"
                 *             },
                 *             {
                 *               "order": 2,
                 *               "text": "七月十五，海上起了雾。林青守着没有点的灯，听见雾里有船的钟声。\n\n李四划着小船去了礁石那边，天亮时还没有回来。\n",
                 *               "title": "第二章 雾"
                 *             }
                 *           ],
                 *           "facts": [
                 *             {
                 *               "predicate": "年龄",
                 *               "subject": "林青",
                 *               "unit": "岁",
                 *               "value": 52
                 *             }
                 *           ],
                 *           "language": "zh",
                 *           "outline_nodes": [
                 *             {
                 *               "name": "第一章 来信",
                 *               "order": 1,
                 *               "participants": [
                 *                 "林青",
                 *                 "李四"
                 *               ]
                 *             },
                 *             {
                 *               "name": "第二章 雾",
                 *               "order": 2,
                 *               "participants": [
                 *                 "林青"
                 *               ]
                 *             }
                 *           ],
                 *           "premise": "一个灯塔看守人收到自己三十年前寄出的信"
                 *         }
                 *       },
                 *       "title": "守灯人"
                 *     }
                 */
                "application/json": {
                    /** @description The story, and the fields of its file that stories do not have. */
                    file: components["schemas"]["StoryFile"];
                    /**
                     * @description The title of the project; made from the premise without it.
                     * @default null
                     */
                    title?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pieces": {
                     *         "character": 2,
                     *         "document": 2,
                     *         "fact": 1,
                     *         "outline_node": 2
                     *       },
                     *       "project": {
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "language": "zh",
                     *         "premise": "一个灯塔看守人收到自己三十年前寄出的信",
                     *         "project": "p-lighthouse",
                     *         "title": "守灯人",
                     *         "updated": "2026-11-23T08:30:00Z",
                     *         "version": 1
                     *       },
                     *       "unknown": []
                     *     }
                     */
                    "application/json": components["schemas"]["Imported"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    check_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "only": [
                 *         "QY9"
                 *       ],
                 *       "story": {
                 *         "characters": [
                 *           {
                 *             "name": "林青",
                 *             "role_type": "protagonist"
                 *           },
                 *           {
                 *             "name": "李四"
                 *           }
                 *         ],
                 *         "documents": [
                 *           {
                 *             "order": 1,
                 *             "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n",
                 *             "title": "第一章 来信"
                 *           },
                 *           {
                 *             "order": 2,
                 *             "text": "七月十五，海上起了雾。林青守着没有点的灯，听见雾里有船的钟声。\n\n李四划着小船去了礁石那边，天亮时还没有回来。\n",
                 *             "title": "第二章 雾"
                 *           }
                 *         ],
                 *         "facts": [
                 *           {
                 *             "predicate": "年龄",
                 *             "subject": "林青",
                 *             "unit": "岁",
                 *             "value": 52
                 *           }
                 *         ],
                 *         "language": "zh",
                 *         "outline_nodes": [
                 *           {
                 *             "name": "第一章 来信",
                 *             "order": 1,
                 *             "participants": [
                 *               "林青",
                 *               "李四"
                 *             ]
                 *           },
                 *           {
                 *             "name": "第二章 雾",
                 *             "order": 2,
                 *             "participants": [
                 *               "林青"
                 *             ]
                 *           }
                 *         ],
                 *         "premise": "一个灯塔看守人收到自己三十年前寄出的信"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Only these rules, by code or its beginning; all if none is named.
                     * @default []
                     */
                    only?: string[];
                    /** @description The story. */
                    story: components["schemas"]["Story"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "basis": {
                     *         "chapters": [
                     *           {
                     *             "chapter": 1,
                     *             "document": "",
                     *             "state": "unread",
                     *             "title": "第一章 来信",
                     *             "version": 0
                     *           },
                     *           {
                     *             "chapter": 2,
                     *             "document": "",
                     *             "state": "unread",
                     *             "title": "第二章 雾",
                     *             "version": 0
                     *           }
                     *         ],
                     *         "judge": "rules",
                     *         "pieces": 7,
                     *         "rules": {
                     *           "blind": [
                     *             {
                     *               "codes": [
                     *                 "QY107",
                     *                 "QY312"
                     *               ],
                     *               "missing": "relation"
                     *             },
                     *             {
                     *               "codes": [
                     *                 "QY110",
                     *                 "QY203"
                     *               ],
                     *               "missing": "event"
                     *             }
                     *           ],
                     *           "clean": 109,
                     *           "off": 0,
                     *           "run": 112
                     *         }
                     *       },
                     *       "findings": [
                     *         {
                     *           "instructions": [
                     *             {
                     *               "action": "update",
                     *               "issue_id": "QY911-84a208",
                     *               "parameters": {
                     *                 "background": null,
                     *                 "goals": null,
                     *                 "kind": "character",
                     *                 "name": "李四",
                     *                 "personality": null,
                     *                 "traits": null
                     *               },
                     *               "priority": 5,
                     *               "specific_instruction": "补写“李四”的特点、性格、背景与目标",
                     *               "target_agent": "character_agent"
                     *             }
                     *           ],
                     *           "issue": {
                     *             "affected_entities": [
                     *               "李四"
                     *             ],
                     *             "category": "completeness",
                     *             "code": "QY911",
                     *             "evidence": [
                     *               {
                     *                 "anchor": "characters/李四/name",
                     *                 "quote": "李四"
                     *               }
                     *             ],
                     *             "id": "QY911-84a208",
                     *             "impact": "写到他时没有依据，言行容易前后不一",
                     *             "root_cause": "“李四”不是次要人物，卡上却没有性格、背景、目标、矛盾、弱点或变化",
                     *             "severity": "medium",
                     *             "source": "rule",
                     *             "sub_category": "character",
                     *             "title": "“李四”的人物卡是空的"
                     *           }
                     *         },
                     *         {
                     *           "instructions": [
                     *             {
                     *               "action": "update",
                     *               "issue_id": "QY911-e44c3b",
                     *               "parameters": {
                     *                 "background": null,
                     *                 "goals": null,
                     *                 "kind": "character",
                     *                 "name": "林青",
                     *                 "personality": null,
                     *                 "traits": null
                     *               },
                     *               "priority": 5,
                     *               "specific_instruction": "补写“林青”的特点、性格、背景与目标",
                     *               "target_agent": "character_agent"
                     *             }
                     *           ],
                     *           "issue": {
                     *             "affected_entities": [
                     *               "林青"
                     *             ],
                     *             "category": "completeness",
                     *             "code": "QY911",
                     *             "evidence": [
                     *               {
                     *                 "anchor": "characters/林青/name",
                     *                 "quote": "林青"
                     *               }
                     *             ],
                     *             "id": "QY911-e44c3b",
                     *             "impact": "写到他时没有依据，言行容易前后不一",
                     *             "root_cause": "“林青”不是次要人物，卡上却没有性格、背景、目标、矛盾、弱点或变化",
                     *             "severity": "medium",
                     *             "source": "rule",
                     *             "sub_category": "character",
                     *             "title": "“林青”的人物卡是空的"
                     *           }
                     *         }
                     *       ],
                     *       "mendable": [],
                     *       "score": 72,
                     *       "version": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Checkup"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_templates: {
        parameters: {
            query?: {
                /**
                 * @description The language of their words.
                 * @example zh
                 */
                language?: components["schemas"]["Language"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "description": "八个阶段，没有规定的内容；自己的模板由它扩展。",
                     *         "fields": [
                     *           "intent/creator_profile",
                     *           "intent/report"
                     *         ],
                     *         "name": "default",
                     *         "phases": [
                     *           "intent",
                     *           "research"
                     *         ],
                     *         "title": "通用"
                     *       },
                     *       {
                     *         "description": "四到八节的图文课程，附落地页、邮件和社交媒体文案。",
                     *         "fields": [
                     *           "intent/creator_profile",
                     *           "intent/report"
                     *         ],
                     *         "name": "course",
                     *         "phases": [
                     *           "intent",
                     *           "research"
                     *         ],
                     *         "title": "短课程"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TemplateRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    analyze_text: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n",
                 *       "title": "第一章"
                 *     }
                 */
                "application/json": {
                    /** @description The text. */
                    text: string;
                    /** @description What it is called. */
                    title: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "document": null,
                     *       "figures": {
                     *         "dialogue": {
                     *           "length": 11,
                     *           "mean": 11,
                     *           "share": 0.131,
                     *           "speakers": [],
                     *           "speeches": 1,
                     *           "unnamed": 1
                     *         },
                     *         "emotion": {
                     *           "curve": [
                     *             {
                     *               "feelings": {},
                     *               "intensity": 0,
                     *               "leading": null,
                     *               "polarity": 0,
                     *               "span": {
                     *                 "end": 295,
                     *                 "start": 0
                     *               }
                     *             }
                     *           ],
                     *           "feelings": {},
                     *           "intensity": 0,
                     *           "polarity": 0,
                     *           "words": []
                     *         },
                     *         "language": "zh",
                     *         "length": 84,
                     *         "pace": {
                     *           "actions": 11.905,
                     *           "curve": [
                     *             {
                     *               "actions": 11.905,
                     *               "dialogue": 0.131,
                     *               "pace": 0.484,
                     *               "sentence": 12,
                     *               "span": {
                     *                 "end": 295,
                     *                 "start": 0
                     *               }
                     *             }
                     *           ],
                     *           "mean": 0.484
                     *         },
                     *         "paragraphs": {
                     *           "count": 3,
                     *           "histogram": [
                     *             {
                     *               "count": 0,
                     *               "from": 0,
                     *               "to": 10
                     *             },
                     *             {
                     *               "count": 1,
                     *               "from": 11,
                     *               "to": 30
                     *             }
                     *           ],
                     *           "longest": 33,
                     *           "mean": 28,
                     *           "median": 32,
                     *           "shortest": 19,
                     *           "spread": 6.377
                     *         },
                     *         "quotes": [
                     *           {
                     *             "shows": "longest_sentence",
                     *             "span": {
                     *               "end": 108,
                     *               "start": 18
                     *             },
                     *             "text": "林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。",
                     *             "value": 27
                     *           },
                     *           {
                     *             "shows": "longest_paragraph",
                     *             "span": {
                     *               "end": 202,
                     *               "start": 181
                     *             },
                     *             "text": "林青没有回答。",
                     *             "value": 33
                     *           }
                     *         ],
                     *         "readability": {
                     *           "ease": "plain",
                     *           "formula": "xu",
                     *           "grade": null,
                     *           "score": 3.845,
                     *           "values": {
                     *             "characters_per_clause": 7.636,
                     *             "function_words": 0.054
                     *           }
                     *         },
                     *         "sentences": {
                     *           "count": 7,
                     *           "histogram": [
                     *             {
                     *               "count": 1,
                     *               "from": 0,
                     *               "to": 5
                     *             },
                     *             {
                     *               "count": 2,
                     *               "from": 6,
                     *               "to": 10
                     *             }
                     *           ],
                     *           "longest": 27,
                     *           "mean": 12,
                     *           "median": 11,
                     *           "shortest": 5,
                     *           "spread": 7.01
                     *         },
                     *         "variety": {
                     *           "count": 73,
                     *           "different": 71,
                     *           "moving": 0.973,
                     *           "mtld": 746.06,
                     *           "ratio": 0.973,
                     *           "unit": "pairs",
                     *           "window": 73
                     *         }
                     *       },
                     *       "title": "第一章"
                     *     }
                     */
                    "application/json": components["schemas"]["Analysed"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    review_text: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "第一章",
                 *       "options": {
                 *         "language": "zh"
                 *       },
                 *       "text": "雨下了一夜。林青推开灯塔的门，看见桌上放着一封信，信封上是他自己的笔迹。\n\n“这封信是三十年前寄出的。”李四站在楼梯口说。\n\n林青没有回答。他把灯油添满，坐下来拆信。信里只有一句话：不要在七月十五点灯。\n"
                 *     }
                 */
                "application/json": {
                    /** @description What it is called. */
                    name: string;
                    /**
                     * @description How.
                     * @default {
                     *       "against": [],
                     *       "language": "zh",
                     *       "level": null,
                     *       "platform": "general"
                     *     }
                     */
                    options?: components["schemas"]["ReviewOptions"];
                    /** @description The text. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reviews": [
                     *         {
                     *           "document": null,
                     *           "review": {
                     *             "compliance": [
                     *               {
                     *                 "advice": "补足 116 字，或并入相邻的一章",
                     *                 "code": "QC102",
                     *                 "severity": "high",
                     *                 "span": null,
                     *                 "text": "",
                     *                 "title": "只有 84 字，通用至少要 200 字",
                     *                 "values": {
                     *                   "least": "200",
                     *                   "length": "84",
                     *                   "missing": "116",
                     *                   "platform": "通用",
                     *                   "text": ""
                     *                 }
                     *               }
                     *             ],
                     *             "counts": {
                     *               "high": 1
                     *             },
                     *             "length": 84,
                     *             "level": "standard",
                     *             "originality": null,
                     *             "platform": "general",
                     *             "platform_title": "通用",
                     *             "sensitive": [],
                     *             "verdict": "failed"
                     *           },
                     *           "title": "第一章"
                     *         }
                     *       ],
                     *       "verdict": "failed"
                     *     }
                     */
                    "application/json": components["schemas"]["Reviews"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_tools: {
        parameters: {
            query?: {
                /**
                 * @description One tool, by any of its names; all without it.
                 * @example character_tool
                 */
                name?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "actions": [
                     *           {
                     *             "name": "create",
                     *             "permission": "write",
                     *             "pure": false
                     *           },
                     *           {
                     *             "name": "update",
                     *             "permission": "write",
                     *             "pure": false
                     *           }
                     *         ],
                     *         "category": "writing",
                     *         "description": {
                     *           "en": "Manages character cards: creates, changes, shows, lists and deletes characters, and analyses a character's arc (appearances, turns, gaps).",
                     *           "zh": "管理角色卡：新建、修改、查看、列出、删除角色，并分析角色的发展弧线（出场、转折、空缺）。"
                     *         },
                     *         "name": "character_tool",
                     *         "parameters_schema": {
                     *           "additionalProperties": false,
                     *           "description": "What it takes.",
                     *           "properties": {
                     *             "action": {
                     *               "description": "What to do.",
                     *               "enum": [
                     *                 "create",
                     *                 "update"
                     *               ],
                     *               "type": "string"
                     *             },
                     *             "add": {
                     *               "additionalProperties": {
                     *                 "items": true,
                     *                 "type": "array"
                     *               },
                     *               "description": "Entries to add to lists of the card, such as {\"traits\": [\"patient\"]}; for update.",
                     *               "type": [
                     *                 "object",
                     *                 "null"
                     *               ]
                     *             },
                     *             "character_data": {
                     *               "additionalProperties": false,
                     *               "description": "The fields of the card, for create and update.",
                     *               "properties": {
                     *                 "age": {
                     *                   "default": null,
                     *                   "description": "Years of age at the story's beginning, if known.",
                     *                   "type": [
                     *                     "integer",
                     *                     "null"
                     *                   ]
                     *                 },
                     *                 "alias": {
                     *                   "default": [],
                     *                   "description": "Other names: nickname, title, alias.",
                     *                   "items": {
                     *                     "type": "string"
                     *                   },
                     *                   "type": "array"
                     *                 },
                     *                 "arc": {
                     *                   "default": "",
                     *                   "description": "How the character changes.",
                     *                   "type": "string"
                     *                 },
                     *                 "background": {
                     *                   "default": "",
                     *                   "description": "What came before.",
                     *                   "type": "string"
                     *                 },
                     *                 "birth": {
                     *                   "default": null,
                     *                   "description": "The year or date of birth in the story's calendar, such as `2045` or `2045-03-01`, if known.",
                     *                   "type": [
                     *                     "string",
                     *                     "null"
                     *                   ]
                     *                 },
                     *                 "conflicts": {
                     *                   "default": "",
                     *                   "description": "What stands against it, inside and outside.",
                     *                   "type": "string"
                     *                 },
                     *                 "death": {
                     *                   "default": null,
                     *                   "description": "The year or date of death in the story's calendar, if the character dies before or during it.",
                     *                   "type": [
                     *                     "string",
                     *                     "null"
                     *                   ]
                     *                 },
                     *                 "goals": {
                     *                   "default": "",
                     *                   "description": "What the character wants.",
                     *                   "type": "string"
                     *                 },
                     *                 "id": {
                     *                   "default": "",
                     *                   "description": "Given by the studio, such as `c-3`; models may leave it empty.",
                     *                   "type": "string"
                     *                 },
                     *                 "name": {
                     *                   "default": "",
                     *                   "description": "The full name; unique in a story.",
                     *                   "type": "string"
                     *                 },
                     *                 "occupation": {
                     *                   "default": "",
                     *                   "description": "Trade or standing.",
                     *                   "type": "string"
                     *                 },
                     *                 "personality": {
                     *                   "default": "",
                     *                   "description": "How the character is.",
                     *                   "type": "string"
                     *                 },
                     *                 "role_type": {
                     *                   "anyOf": [
                     *                     {
                     *                       "const": "protagonist",
                     *                       "description": "The story is theirs.",
                     *                       "type": "string"
                     *                     },
                     *                     {
                     *                       "const": "antagonist",
                     *                       "description": "Stands against the protagonist.",
                     *                       "type": "string"
                     *                     }
                     *                   ],
                     *                   "default": "supporting",
                     *                   "description": "The part in the story."
                     *                 },
                     *                 "traits": {
                     *                   "default": [],
                     *                   "description": "Traits, a word or two each.",
                     *                   "items": {
                     *                     "type": "string"
                     *                   },
                     *                   "type": "array"
                     *                 },
                     *                 "weakness": {
                     *                   "default": "",
                     *                   "description": "The weakness that can cost something.",
                     *                   "type": "string"
                     *                 }
                     *               },
                     *               "type": [
                     *                 "object",
                     *                 "null"
                     *               ]
                     *             },
                     *             "character_id": {
                     *               "description": "The id, name or alias of the character; needed by all actions but create and list.",
                     *               "type": [
                     *                 "string",
                     *                 "null"
                     *               ]
                     *             },
                     *             "expected_version": {
                     *               "description": "The version of the project that the change is made for, as an earlier answer gave it; the call fails if the project has changed since. Left out, the change is …",
                     *               "minimum": 0,
                     *               "type": [
                     *                 "integer",
                     *                 "null"
                     *               ]
                     *             },
                     *             "limit": {
                     *               "description": "How many characters to give at most; for list.",
                     *               "minimum": 0,
                     *               "type": [
                     *                 "integer",
                     *                 "null"
                     *               ]
                     *             },
                     *             "offset": {
                     *               "description": "How many characters to skip; for list.",
                     *               "minimum": 0,
                     *               "type": [
                     *                 "integer",
                     *                 "null"
                     *               ]
                     *             },
                     *             "project_id": {
                     *               "description": "The project; may be left out where there is only one.",
                     *               "type": [
                     *                 "string",
                     *                 "null"
                     *               ]
                     *             },
                     *             "remove": {
                     *               "additionalProperties": {
                     *                 "items": true,
                     *                 "type": "array"
                     *               },
                     *               "description": "Entries to take out of lists of the card; for update.",
                     *               "type": [
                     *                 "object",
                     *                 "null"
                     *               ]
                     *             }
                     *           },
                     *           "required": [
                     *             "action"
                     *           ],
                     *           "type": "object"
                     *         },
                     *         "permission": "write",
                     *         "pure": false,
                     *         "requires_project": true,
                     *         "timeout_ms": 30000,
                     *         "version": "1.0.0"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Metadata2"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    list_users: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "disabled": null,
                     *         "name": "Ben",
                     *         "role": "member",
                     *         "user": "ben"
                     *       },
                     *       {
                     *         "created": "2026-11-23T08:30:00Z",
                     *         "disabled": null,
                     *         "name": "local",
                     *         "role": "admin",
                     *         "user": "local"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UserRow"][];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
    add_user: {
        parameters: {
            query?: never;
            header?: {
                /** @description Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": {
                 *         "name": "Ben",
                 *         "user": "ben"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The user. */
                    request: components["schemas"]["UserRequest"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": "2026-11-23T08:30:00Z",
                     *       "disabled": null,
                     *       "name": "Ben",
                     *       "role": "member",
                     *       "user": "ben"
                     *     }
                     */
                    "application/json": components["schemas"]["UserRow"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            402: components["responses"]["Problem"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
            507: components["responses"]["Problem"];
        };
    };
}
