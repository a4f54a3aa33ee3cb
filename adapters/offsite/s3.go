package offsite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// s3 is a bucket, or a folder of it, at any server that speaks S3.
type s3 struct {
	client         *minio.Client
	host           string
	bucket, prefix string
}

// partSize is what a large object is sent in, and held in memory of.
const partSize = 16 << 20

func newS3(u *url.URL) (Target, error) {
	bucket, prefix, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	secret, _ := u.User.Password()
	if u.Host == "" || bucket == "" || secret == "" {
		return nil, errors.New("a bucket is named as s3://key:secret@host/bucket/folder")
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(u.User.Username(), secret, ""),
		Secure: u.Scheme == "s3",
		Region: u.Query().Get("region"),
		// The shipper tries again by itself, and says so.
		MaxRetries: 1,
	})
	if err != nil {
		return nil, fmt.Errorf("make a client for S3: %w", err)
	}
	return &s3{client, u.Host, bucket, prefix}, nil
}

func (s *s3) String() string { return "s3://" + s.host + "/" + below(s.bucket, s.prefix) }

func (s *s3) Put(ctx context.Context, name string, body io.Reader) error {
	size := int64(-1)
	if known, ok := body.(interface{ Len() int }); ok {
		size = int64(known.Len())
	}
	// What is sealed proves itself when it is opened.
	_, err := s.client.PutObject(ctx, s.bucket, below(s.prefix, name), body, size, minio.PutObjectOptions{PartSize: partSize, NumThreads: 1, DisableContentSha256: true})
	return err
}

func (s *s3) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	object, err := s.client.GetObject(ctx, s.bucket, below(s.prefix, name), minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := object.Stat(); err != nil {
		object.Close()
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		return nil, err
	}
	return object, nil
}

func (s *s3) List(ctx context.Context, folder string) (names []string, err error) {
	for object := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: below(s.prefix, folder) + "/", Recursive: true}) {
		if object.Err != nil {
			return nil, object.Err
		}
		names = append(names, strings.TrimPrefix(strings.TrimPrefix(object.Key, s.prefix), "/"))
	}
	slices.Sort(names)
	return names, nil
}

func (s *s3) Delete(ctx context.Context, name string) error {
	return s.client.RemoveObject(ctx, s.bucket, below(s.prefix, name), minio.RemoveObjectOptions{})
}

// KeepsOld asks for versions alone: a bucket that locks objects has them.
func (s *s3) KeepsOld(ctx context.Context) (string, error) {
	versions, err := s.client.GetBucketVersioning(ctx, s.bucket)
	if err != nil || versions.Status == "" {
		return "", err
	}
	return "its bucket has versions of objects", nil
}
