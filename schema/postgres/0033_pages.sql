-- The texts of the site's pages and the people of the clinic. Editors change them with bitacora content export and import.

CREATE TABLE pages (
    name  text PRIMARY KEY,
    texts text NOT NULL
);
COMMENT ON TABLE pages IS 'The texts of each page of the site. Without any row, those that the program brings along count, and so do its people.';
COMMENT ON COLUMN pages.name IS 'home, about and so on: the name of its file.';
COMMENT ON COLUMN pages.texts IS 'JSON as the file has it, without white space; texts may name facts of the clinic such as {{phone1}}.';

CREATE TABLE profiles (
    slug             text PRIMARY KEY,
    name             text NOT NULL,
    title            text NOT NULL,
    specialty        text NOT NULL,
    bio              text NOT NULL,
    markdown         text NOT NULL,
    html             text NOT NULL,
    specialties      text[] NOT NULL,
    training         text[] NOT NULL,
    affiliations     text[] NOT NULL,
    service          text NOT NULL,
    page_title       text NOT NULL,
    page_description text NOT NULL,
    place            integer NOT NULL CHECK (place > 0)
);
COMMENT ON TABLE profiles IS 'Those who treat patients, as the site presents them.';
COMMENT ON COLUMN profiles.slug IS 'Names the person in addresses.';
COMMENT ON COLUMN profiles.title IS 'Profession.';
COMMENT ON COLUMN profiles.bio IS 'One sentence.';
COMMENT ON COLUMN profiles.markdown IS 'The profile as the clinic writes it; empty for who has no page.';
COMMENT ON COLUMN profiles.html IS 'Made of markdown and sanitised when it was stored; sanitised again when it is read.';
COMMENT ON COLUMN profiles.service IS 'Slug of the service that the page leads to; empty for none.';
COMMENT ON COLUMN profiles.page_title IS 'For search engines; empty where it is made of the others.';
COMMENT ON COLUMN profiles.place IS 'Place in the list, 1 first.';

ALTER TABLE services
    ADD COLUMN menu_text text NOT NULL DEFAULT '',
    ADD COLUMN badge     text NOT NULL DEFAULT '',
    ADD COLUMN page      text NOT NULL DEFAULT '';
COMMENT ON COLUMN services.specialty IS 'Whether the menus lead to it.';
COMMENT ON COLUMN services.menu_text IS 'What the menu says of it; may be empty.';
COMMENT ON COLUMN services.badge IS 'What stands beside its title in the menu; may be empty.';
COMMENT ON COLUMN services.page IS 'JSON of what its page shows in the place of the text; empty where the text is all.';

GRANT SELECT, INSERT, DELETE ON pages, profiles TO bitacora_writer;
