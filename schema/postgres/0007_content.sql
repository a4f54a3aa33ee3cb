-- What the clinic's site tells. Editors change it with bitacora content export and import.

CREATE TABLE content_version (
    one        boolean PRIMARY KEY DEFAULT true CHECK (one),
    version    bigint NOT NULL DEFAULT 0 CHECK (version >= 0),
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE content_version IS 'One row: which state of the content this is. Whoever remembers content asks for it again when the version has grown.';
COMMENT ON COLUMN content_version.one IS 'Always true: holds the table to one row.';
COMMENT ON COLUMN content_version.version IS '0: there was never any content, and the program puts in its own.';
INSERT INTO content_version DEFAULT VALUES;

CREATE TABLE services (
    slug        text PRIMARY KEY,
    title       text NOT NULL,
    description text NOT NULL,
    markdown    text NOT NULL,
    html        text NOT NULL,
    icon        text NOT NULL,
    image_url   text NOT NULL,
    specialty   boolean NOT NULL,
    featured    boolean NOT NULL,
    place       integer NOT NULL CHECK (place > 0)
);
COMMENT ON TABLE services IS 'What the clinic treats.';
COMMENT ON COLUMN services.slug IS 'Names the service in addresses.';
COMMENT ON COLUMN services.description IS 'One sentence.';
COMMENT ON COLUMN services.markdown IS 'The text as the clinic writes it; may name facts of the clinic such as {{phone1}}.';
COMMENT ON COLUMN services.html IS 'Made of markdown and sanitised when it was stored; sanitised again when it is read.';
COMMENT ON COLUMN services.icon IS 'Icon class name.';
COMMENT ON COLUMN services.image_url IS 'Path of the site; empty where there is no picture.';
COMMENT ON COLUMN services.specialty IS 'Whether it is one of the specialties with a page of their own.';
COMMENT ON COLUMN services.featured IS 'Whether the home page shows it.';
COMMENT ON COLUMN services.place IS 'Place in every list, 1 first.';

CREATE TABLE testimonials (
    id        text PRIMARY KEY,
    name      text NOT NULL,
    comment   text NOT NULL,
    rating    smallint NOT NULL CHECK (rating BETWEEN 0 AND 5),
    location  text NOT NULL,
    image_url text NOT NULL,
    place     integer NOT NULL CHECK (place > 0)
);
COMMENT ON TABLE testimonials IS 'What patients say.';
COMMENT ON COLUMN testimonials.name IS 'As it is shown: first name and initial.';
COMMENT ON COLUMN testimonials.rating IS 'Stars.';
COMMENT ON COLUMN testimonials.image_url IS 'Path of the site; empty where there is no picture.';
COMMENT ON COLUMN testimonials.place IS 'Place in the list, 1 first.';

CREATE TABLE posts (
    slug         text PRIMARY KEY,
    title        text NOT NULL,
    excerpt      text NOT NULL,
    markdown     text NOT NULL,
    html         text NOT NULL,
    image_url    text NOT NULL,
    published_at timestamptz NOT NULL,
    topics       text[] NOT NULL
);
COMMENT ON TABLE posts IS 'Articles of the blog.';
COMMENT ON COLUMN posts.slug IS 'Names the post in addresses.';
COMMENT ON COLUMN posts.excerpt IS 'One or two sentences.';
COMMENT ON COLUMN posts.markdown IS 'The text as the clinic writes it; may name facts of the clinic such as {{phone1}}.';
COMMENT ON COLUMN posts.html IS 'Made of markdown and sanitised when it was stored; sanitised again when it is read.';
COMMENT ON COLUMN posts.image_url IS 'Path of the site; empty where there is no picture.';
COMMENT ON COLUMN posts.published_at IS 'From when on the site shows the post.';

GRANT SELECT, UPDATE ON content_version TO bitacora_writer;
GRANT SELECT, INSERT, DELETE ON services, testimonials, posts TO bitacora_writer;
